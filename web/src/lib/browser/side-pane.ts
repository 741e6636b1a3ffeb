const paneMark = 'data-side-pane';

/** Attributes of the pane beside a page, and of its title. */
export const paneMarks = { pane: { [paneMark]: '' }, title: { 'data-pane-title': '' } } as const;

/** Whether an element is in the pane beside the page. */
export const isInSidePane = (element: Element | null): boolean => element?.closest(`[${paneMark}]`) != null;

/** Moves the focus to the title of the pane, if it is open. */
export const focusSidePane = (): void =>
  document.querySelector<HTMLElement>(`[${paneMark}] [data-pane-title]`)?.focus();

/** An element in the pane beside the page. */
export const findInSidePane = (selector: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[${paneMark}] ${selector}`);
