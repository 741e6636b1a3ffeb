import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Product, startProduct } from '../support/product.ts';
import { chromiumPath, openBrowser } from '../support/chromium.ts';
import { signUp } from '../support/pages.ts';

const chromium = chromiumPath();

/** The relation graph in a real browser: 600 px, zoom 0.1 to 1, initially 0.5 (spec 9), by pointer and by keyboard. */
describe.skipIf(chromium === null)('graph of related records', () => {
  let product: Product;
  let browser: Browser;
  let page: Page;
  let address = '';
  let threat = '';

  beforeAll(async () => {
    product = await startProduct();
    browser = await openBrowser(chromium ?? '');
    const context = await browser.newContext({
      viewport: { width: 1280, height: 1000 },
      reducedMotion: 'reduce',
    });
    page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await signUp(page, product.origins[0] ?? '');
    await page.waitForURL('**/dashboard');
    const project = await post('/api/projects', {
      name: 'Port',
      description: 'Cranes and gates',
      startDate: '2026-01-05T00:00:00.000Z',
    });
    const asset = { description: 'Lifts', projectId: project, assetTypeId: 1, isActive: true };
    const crane = await post(`/api/assets?projectId=${project}`, { ...asset, name: 'Crane controller' });
    const scanner = await post(`/api/assets?projectId=${project}`, { ...asset, name: 'Gate scanner' });
    const related = { description: 'Known', relatedAssets: [crane, scanner] };
    threat = await post('/api/threats', { ...related, name: 'Night Pilots', riskLevel: 61 });
    const id = await post('/api/vulnerabilities', {
      ...related,
      name: 'Firmware is not checked',
      severity: 9,
      cvssScore: 9.8,
    });
    address = `${product.origins[0]}/dashboard/vulnerabilities/${id}`;
  });

  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  /** Creates or changes a record as the page itself would. @returns its id */
  const send = (method: 'POST' | 'PUT', path: string, body: object): Promise<string> =>
    page.evaluate(
      async ([how, to = '', text = '']) => {
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch(to, { method: how ?? '', headers, body: text });
        if (!answer.ok) throw new Error(`${to}: ${answer.status} ${await answer.text()}`);
        return ((await answer.json()) as { _id: string })._id;
      },
      [method, path, JSON.stringify(body)],
    );
  const post = (path: string, body: object) => send('POST', path, body);
  const put = (path: string, body: object) => send('PUT', path, body);

  const card = () => page.getByRole('region', { name: 'Asset Graphical Modelling' });
  const canvas = () => card().getByRole('application');
  const zoom = () => card().getByLabel('Zoom', { exact: true });

  test('is drawn 600 px tall at zoom 0.5 and labels its content', async () => {
    await page.goto(address);
    await page.waitForFunction(() => performance.getEntriesByName('graph:drawn').length > 0);
    expect(await canvas().getAttribute('aria-label')).toBe(
      'Asset Graphical Modelling: 4 records, 4 relations',
    );
    expect((await canvas().boundingBox())?.height).toBe(600);
    expect(await zoom().textContent()).toBe('50%');
  });

  test('zooms between 0.1 and 1 by buttons, keys and wheel', async () => {
    const nearer = card().getByRole('button', { name: 'Zoom in' });
    for (let press = 0; press < 4; press += 1) await nearer.click({ force: true });
    await expect.poll(() => zoom().textContent()).toBe('100%');
    expect(await nearer.getAttribute('aria-disabled')).toBe('true');
    await canvas().focus();
    for (let press = 0; press < 12; press += 1) await page.keyboard.press('-');
    await expect.poll(() => zoom().textContent()).toBe('10%');
    await page.keyboard.press('0');
    await expect.poll(() => zoom().textContent()).not.toBe('10%');
    await canvas().hover({ position: { x: 40, y: 40 } });
    for (let step = 0; step < 12; step += 1) await page.mouse.wheel(0, -400);
    await expect.poll(() => zoom().textContent()).toBe('100%');
  });

  test('the wheel scrolls the page until the graph has the focus', async () => {
    await page.reload();
    await page.waitForFunction(() => performance.getEntriesByName('graph:drawn').length > 0);
    await canvas().hover({ position: { x: 40, y: 40 } });
    await page.mouse.wheel(0, -400);
    await page.waitForTimeout(300);
    expect(await zoom().textContent()).toBe('50%');
  });

  test('keeps zoom, selection and drawing when a record in it changes', async () => {
    const name = (text: string) => put(`/api/threats/${threat}`, { name: text });
    await card().getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(() => zoom().textContent()).toBe('63%');
    await card().getByRole('combobox', { name: 'Find in the graph' }).fill('pilots');
    await page.getByRole('option', { name: /Night Pilots/ }).click();
    await expect.poll(() => zoom().textContent()).toBe('80%');
    const drawn = await canvas().locator('canvas').first().elementHandle();
    await name('Night Gliders');
    await card().getByRole('region', { name: 'Threat: Night Gliders' }).waitFor();
    expect(await zoom().textContent()).toBe('80%');
    expect(await drawn?.evaluate((element) => element.isConnected)).toBe(true);
    await name('Night Pilots');
    const peek = card().getByRole('region', { name: 'Threat: Night Pilots' });
    await peek.getByRole('button', { name: 'Close' }).click();
    await peek.waitFor({ state: 'detached' });
  });

  test('finds a node, shows its summary, and opens its page', async () => {
    await card().getByRole('combobox', { name: 'Find in the graph' }).fill('pilots');
    await page.getByRole('option', { name: /Night Pilots/ }).waitFor();
    await page.keyboard.press('Enter');
    const peek = card().getByRole('region', { name: 'Threat: Night Pilots' });
    await peek.getByText('61 / 100').waitFor();
    await peek.getByText('High', { exact: true }).waitFor();
    await peek.getByText('2 relations').waitFor();
    expect(
      (await new AxeBuilder({ page }).analyze()).violations.filter(({ impact }) => impact === 'serious'),
    ).toEqual([]);
    await page.keyboard.press('Escape');
    await peek.waitFor({ state: 'detached' });
    // The search centered the node, so a click in the middle selects it again.
    const box = await canvas().boundingBox();
    await canvas().click({ position: { x: (box?.width ?? 0) / 2, y: (box?.height ?? 0) / 2 } });
    await peek.getByRole('button', { name: 'Open threat' }).click();
    await page.waitForURL('**/dashboard/threats/*');
  });

  test('hides a kind, and shows the same content as tables', async () => {
    await page.goto(address);
    const threats = card().getByRole('button', { name: /^Threat/ });
    await threats.press('Enter');
    expect(await threats.getAttribute('aria-pressed')).toBe('false');
    await card().getByText('Table', { exact: true }).click();
    await card().getByRole('row').filter({ hasText: 'Night Pilots' }).getByText('61 / 100').waitFor();
    await card().getByText('Relations', { exact: true }).first().click();
    expect(await card().getByRole('row').filter({ hasText: 'threatens' }).count()).toBe(2);
  });
});
