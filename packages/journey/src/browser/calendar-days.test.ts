import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Product, startProduct } from '../support/product.ts';
import { chromiumPath, openBrowser } from '../support/chromium.ts';
import { signUp } from '../support/pages.ts';
import { repeatUnavailableInBrowser } from '../support/repeat-unavailable.ts';

const executablePath = chromiumPath();

/** Behind and ahead of UTC: a day that is converted to a moment becomes another day in one of them. */
const zones = ['America/Los_Angeles', 'Pacific/Auckland'] as const;

describe.skipIf(!executablePath)('calendar days in the browser', () => {
  let product: Product;
  let browser: Browser;
  let origin = '';
  const pages: Page[] = [];

  beforeAll(async () => {
    product = await startProduct();
    origin = product.origins[0] ?? '';
    browser = await openBrowser(executablePath ?? '');
    // The same user in each time zone.
    for (const timezoneId of zones) {
      const storageState = await pages[0]?.context().storageState();
      const page = await browser.newPage({
        timezoneId,
        locale: 'en-US',
        ...(storageState && { storageState }),
      });
      page.setDefaultTimeout(20_000);
      if (storageState === undefined) await signUp(page, origin);
      pages.push(page);
    }
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it('a day entered in one time zone is the same day on every page in another', async () => {
    const [west, east] = pages as [Page, Page];

    await west.goto(`${origin}/dashboard/vulnerabilities/new`);
    await west.getByRole('textbox', { name: 'Name' }).fill('Log4Shell');
    await west.getByRole('textbox', { name: 'Description' }).first().fill('Remote code execution.');
    await west.getByRole('spinbutton', { name: 'Severity', exact: true }).fill('9');
    await west.getByLabel('Discovery date').fill('2024-05-01');
    await west.getByRole('button', { name: 'Create' }).click();
    await west.getByRole('button', { name: 'View', exact: true }).click();
    await west.waitForURL(/\/dashboard\/vulnerabilities\/[\da-f-]{36}$/u);
    const address = west.url();

    for (const page of [west, east]) {
      await page.goto(address);
      await page.getByText('May 1, 2024').first().waitFor();
      await page.goto(`${address}/edit`);
      const field = page.getByLabel('Discovery date');
      await field.waitFor();
      expect(await field.inputValue()).toBe('2024-05-01');
      await page.goto(
        `${origin}/dashboard/vulnerabilities?discoveryDateMin=2024-05-01&discoveryDateMax=2024-05-01`,
      );
      await page.getByRole('row').getByText('Log4Shell').waitFor();
      await page.getByRole('row').getByText('May 1, 2024').waitFor();
    }
  });

  it('a project from one day to the next keeps both days over a change to daylight saving time', async () => {
    const days = { startDate: '2026-03-29', plannedEndDate: '2026-03-30' };
    for (const page of pages) {
      const reply = await repeatUnavailableInBrowser(() =>
        page.request.post(`${origin}/api/projects`, {
          data: { name: 'Two days', description: 'Over the change to summer time.', ...days },
          headers: { origin },
        }),
      );
      expect(reply.status()).toBe(201);
      const project = (await reply.json()) as typeof days;
      expect([project.startDate.slice(0, 10), project.plannedEndDate.slice(0, 10)]).toEqual([
        days.startDate,
        days.plannedEndDate,
      ]);
    }
  });
});
