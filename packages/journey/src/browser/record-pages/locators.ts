import type { Locator, Page } from 'playwright-core';

/** Body rows of the page's list. */
export const rowsOf = (page: Page): Locator => page.locator('tbody tr[data-index]');

export const rowOf = (page: Page, name: string): Locator => rowsOf(page).filter({ hasText: name });

/** Texts of the visible column headers. */
export async function columnsOf(page: Page): Promise<string[]> {
  const heads = page.locator('thead th:visible');
  const texts = await heads.allTextContents();
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}

/** Page numbers of the pager's buttons. */
export async function pageButtons(page: Page): Promise<number[]> {
  const buttons = page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: /^Page \d/u });
  return (await buttons.allTextContents()).map((text) => Number(text.replaceAll(',', '')));
}

/** A toast by its title and, if given, its description. */
export const toast = (page: Page, title: string, description?: string | RegExp): Locator => {
  const toasts = page.getByRole('dialog').filter({ has: page.getByText(title, { exact: true }) });
  return description === undefined ? toasts : toasts.filter({ hasText: description });
};

/**
 * Dismisses every toast and waits until none is left, so that the next one is unambiguous and no click meets one that fades
 * out. One may disappear by itself meanwhile. The mouse does not stay there: a toast that appears under it would remain, and
 * cover the end of a row.
 */
export async function dismissToasts(page: Page): Promise<void> {
  const dismiss = page.getByRole('button', { name: 'Dismiss', exact: true });
  const toasts = page.getByRole('dialog').filter({ has: dismiss });
  const shown = toasts.and(page.locator(':not([data-ending-style])'));
  while ((await toasts.count()) > 0) {
    if ((await shown.count()) === 0) {
      await toasts.first().waitFor({ state: 'detached' });
      continue;
    }
    await shown
      .first()
      .getByRole('button', { name: 'Dismiss', exact: true })
      .click({ timeout: 1000 })
      .catch(() => undefined);
    await page.mouse.move(0, 0);
  }
}

/** Value of a record's detail row, by its label. */
export const fact = (page: Page, label: string): Locator =>
  page
    .locator('dl > div')
    .filter({ has: page.locator('dt', { hasText: new RegExp(`^${label}`, 'u') }) })
    .locator('dd');
