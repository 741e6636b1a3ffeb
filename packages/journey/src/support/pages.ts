import type { Locator, Page } from 'playwright-core';
import type { Dropped } from './sample-reports.ts';

/** The user of the browser tests. */
export const person = {
  firstName: 'Ada',
  email: 'ada@harbour.example.org',
  password: 'tides turn twice daily',
} as const;

export async function signUp(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/login`);
  await page.getByRole('link', { name: /sign up/i }).click();
  await page.getByLabel('First name').fill(person.firstName);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Organization').fill('Harbour Authority');
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: /sign up|create/i }).click();
  await page.waitForURL('**/dashboard');
}

export async function openUpload(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Data Upload' }).click();
  await page.getByRole('menuitem', { name: 'Upload STIX/TAXII' }).click();
  return page.getByRole('dialog', { name: 'Upload STIX/TAXII Report' });
}

/** Drops files on the dialog's drop zone, all at once. */
export async function drop(page: Page, dialog: Locator, files: readonly Dropped[]): Promise<void> {
  const sent = files.map(({ name, mimeType, buffer }) => ({ name, mimeType, text: buffer.toString('utf8') }));
  const transfer = await page.evaluateHandle((list) => {
    const data = new DataTransfer();
    for (const { name, mimeType, text } of list) data.items.add(new File([text], name, { type: mimeType }));
    return data;
  }, sent);
  await dialog
    .getByRole('region', { name: 'Choose reports' })
    .dispatchEvent('drop', { dataTransfer: transfer });
}

export const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name });

export async function chooseAction(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

/** The first element with a toast's text. */
export const toastOf = (page: Page, text: string | RegExp): Locator => page.getByText(text).first();
