const controls = ['a[href]', 'button', 'input', 'select', 'textarea', '[tabindex]']
  .map((kind) => `${kind}:not([disabled], [data-disabled], [hidden], [aria-hidden="true"], [tabindex="-1"])`)
  .join();

/** The first control in an element that the Tab key reaches. */
export const firstControl = (within: HTMLElement | null): HTMLElement | null =>
  within?.querySelector<HTMLElement>(controls) ?? null;
