import type { Locator, Page } from 'playwright-core';

/** Rows of the page's list, its head left out. */
export const rowsOf = (page: Page): Locator => page.locator('tbody tr[data-index]');

export const rowOf = (page: Page, name: string): Locator => rowsOf(page).filter({ hasText: name });

/** Heads of the columns in sight, as they read. */
export async function columnsOf(page: Page): Promise<string[]> {
  const heads = page.locator('thead th:visible');
  const texts = await heads.allTextContents();
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}

/** Numbers of the pager's buttons. */
export async function pageButtons(page: Page): Promise<number[]> {
  const buttons = page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: /^Page \d/u });
  return (await buttons.allTextContents()).map((text) => Number(text.replaceAll(',', '')));
}

/** A toast by its title, with its description where one is asked for. */
export const toast = (page: Page, title: string, description?: string | RegExp): Locator => {
  const told = page.getByRole('dialog').filter({ has: page.getByText(title, { exact: true }) });
  return description === undefined ? told : told.filter({ hasText: description });
};

/** Takes away what stands, so that the next toast is the one that is looked at. One may go by itself meanwhile. */
export async function dismissToasts(page: Page): Promise<void> {
  const dismiss = page.getByRole('button', { name: 'Dismiss' });
  while ((await dismiss.count()) > 0)
    await dismiss
      .first()
      .click({ timeout: 1000 })
      .catch(() => undefined);
}

/** Value of a record's fact by its name. */
export const fact = (page: Page, label: string): Locator =>
  page
    .locator('dl > div')
    .filter({ has: page.locator('dt', { hasText: new RegExp(`^${label}`, 'u') }) })
    .locator('dd');
