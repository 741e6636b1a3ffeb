import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Product, startProduct } from '../support/product.ts';
import { chromiumPath, openBrowser } from '../support/chromium.ts';
import { mailedToken } from '../support/outbox.ts';
import { person, signUp } from '../support/pages.ts';
import { repeatUnavailableInBrowser } from '../support/repeat-unavailable.ts';

const executablePath = chromiumPath();

/** Runs a script in any page that treats it as markup, an address or a template. */
const hostile = '<img src=x onerror="fired=1"><svg onload="fired=1">[x](javascript:fired=1){{fired=1}}';
const reference = 'javascript:fired=1';

/** Every text field contains an attack; pages must show it as text. */
describe.skipIf(!executablePath)('hostile input in a real browser', () => {
  let product: Product;
  let browser: Browser;
  let page: Page;
  let origin = '';
  const problems: string[] = [];

  beforeAll(async () => {
    product = await startProduct();
    origin = product.origins[0] ?? '';
    browser = await openBrowser(executablePath ?? '');
    page = await browser.newPage();
    page.setDefaultTimeout(20_000);
    page.on('dialog', (dialog) => {
      problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    // A policy violation is a console error; an injected image would cause a request.
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(origin)) problems.push(`requested ${request.url()}`);
    });
    await signUp(page, origin);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  const send = async (method: 'post' | 'put', url: string, data: object): Promise<string> => {
    const answer = await repeatUnavailableInBrowser(() =>
      page.request[method](`${origin}${url}`, { data, headers: { origin } }),
    );
    if (!answer.ok()) throw new Error(`${url} answered ${answer.status()}: ${await answer.text()}`);
    return ((await answer.json()) as { _id?: string })._id ?? '';
  };

  it('of 200 characters without blanks stretches neither a page, a form nor the palette on a phone', async () => {
    const levels = { criticality: 3, confidentialityLevel: 3, integrityLevel: 3, availabilityLevel: 3 };
    const projectId = await send('post', '/api/projects', {
      name: 'Harbour',
      description: 'x',
      startDate: '2026-01-01',
    });
    const asset = { description: 'x', assetTypeId: 1, projectId, ...levels };
    const long = await send('post', '/api/assets', { ...asset, name: 'W'.repeat(200) });
    const record = await send('post', '/api/assets', { ...asset, name: 'Door', relatedAssets: [long] });
    const threat = await send('post', '/api/threats', {
      name: 'Night Pilots',
      description: 'x',
      threatID: 'W'.repeat(100),
    });
    const size = page.viewportSize();
    const pageWidth = () => page.evaluate(() => document.documentElement.scrollWidth);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${origin}/dashboard/threats/${threat}`);
    await page.getByText(/^W+$/u).first().waitFor();
    expect(await pageWidth()).toBe(390);
    await page.goto(`${origin}/dashboard/assets/${record}/edit`);
    await page.getByRole('button', { name: /^Remove W+$/u }).waitFor();
    expect(await pageWidth()).toBe(390);
    const right = (box: { x: number; width: number } | null) => (box?.x ?? 999) + (box?.width ?? 0);
    expect(right(await page.getByRole('textbox', { name: 'Name' }).boundingBox())).toBeLessThan(390);
    await send('post', '/api/assets', { ...asset, name: `Pilots ${'W'.repeat(120)}` });
    await page.goto(`${origin}/dashboard/threats/${threat}`);
    const link = page
      .getByRole('region', { name: 'Suggested assets' })
      .getByRole('link', { name: /^Pilots/u });
    const relate = page.getByRole('button', { name: /^Relate Pilots/u });
    await relate.waitFor();
    expect(right(await link.boundingBox())).toBeLessThan((await relate.boundingBox())?.x ?? 0);
    await page.goto(`${origin}/dashboard/assets/${long}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    const label = page.getByText(/^This record: W+$/u);
    await label.waitFor();
    expect(right(await label.boundingBox())).toBeLessThan(390);
    await page.keyboard.press('Escape');
    if (size !== null) await page.setViewportSize(size);
  });

  it('is shown as text on every page', async () => {
    await send('put', '/api/auth/me', { firstName: hostile });
    await send('put', '/api/organization', { name: hostile });
    const record = { name: hostile, description: hostile, reference };
    const vulnerability = await send('post', '/api/vulnerabilities', {
      ...record,
      categoryId: 1,
      severity: 5,
    });
    const threat = await send('post', '/api/threats', record);
    const shown = [
      `vulnerabilities/${vulnerability}`,
      `threats/${threat}`,
      'vulnerabilities',
      'threats',
      'activity',
      'settings/members',
      'settings/organization',
    ];
    for (const path of shown) {
      await page.goto(`${origin}/dashboard/${path}`);
      await page.getByText('<img src=x onerror=').first().waitFor();
      expect(await page.locator('a[href^="javascript:" i], img[src="x"]').count()).toBe(0);
      expect(await page.evaluate(() => 'fired' in globalThis)).toBe(false);
    }
    expect(problems).toEqual([]);
  });

  it('an email address changes only through the mailed link, opened in any browser', async () => {
    const email = 'ada@elsewhere.example.org';
    await page.goto(`${origin}/dashboard/settings/profile`);
    await page.getByLabel('New email address').fill(email);
    await page.getByLabel('Current password').fill(person.password);
    await page.getByRole('button', { name: 'Send confirmation link' }).click();
    await page.getByText('We sent a confirmation link to the new address').waitFor();
    const token = await mailedToken(product.outbox, email);
    const elsewhere = await browser.newPage();
    await elsewhere.goto(`${origin}/confirm-email?token=${token}`);
    await elsewhere.getByRole('button', { name: 'Confirm address' }).click();
    await elsewhere.getByText('Your email address has been changed.').waitFor();
    expect(elsewhere.url()).toBe(`${origin}/confirm-email`);
    await page.reload();
    await page.getByText(email).first().waitFor();
  });
});
