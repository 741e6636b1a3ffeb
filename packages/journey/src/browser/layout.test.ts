import assert from 'node:assert/strict';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { chromiumPath, openBrowser } from '../support/chromium.ts';
import { signUp } from '../support/pages.ts';
import { type Product, startProduct } from '../support/product.ts';

const executablePath = chromiumPath();

/** Whether the text of an element is cut off. */
const isCut = (part: Locator): Promise<boolean> =>
  part.evaluate((element) => {
    const box = element.closest('li') ?? element;
    return box.scrollWidth > box.clientWidth;
  });

describe.skipIf(!executablePath)('the frame of the pages', () => {
  let product: Product;
  let browser: Browser;
  let page: Page;
  let origin = '';

  beforeAll(async () => {
    product = await startProduct();
    origin = product.origins[0] ?? '';
    browser = await openBrowser(executablePath ?? '');
    page = await browser.newPage();
    page.setDefaultTimeout(20_000);
    await signUp(page, origin);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it.each(['reports/vulnerabilities', 'settings/members', 'cwss'])(
    'names /dashboard/%s in full in the top bar of a window of 1024 px',
    async (path) => {
      await page.setViewportSize({ width: 1024, height: 768 });
      await page.goto(`${origin}/dashboard/${path}`);
      const crumb = page.getByRole('navigation', { name: 'Breadcrumbs' }).locator('[aria-current=page]');
      await crumb.waitFor();
      expect(await isCut(crumb)).toBe(false);
    },
  );

  it('prints all rows and columns of a list that scrolls by itself', async () => {
    await page.setViewportSize({ width: 1024, height: 400 });
    await page.goto(`${origin}/dashboard/vulnerabilities`);
    const statuses = await page.evaluate(() =>
      Promise.all(
        Array.from({ length: 10 }, async (_, index) => {
          const body = { name: `Firmware ${index} is not checked`, description: 'Known', severity: 5 };
          const headers = { 'content-type': 'application/json' };
          const sent = { method: 'POST', headers, body: JSON.stringify(body) };
          return (await fetch('/api/vulnerabilities', sent)).status;
        }),
      ),
    );
    expect(new Set(statuses)).toEqual(new Set([201]));
    await page.reload();
    const region = page.locator('section:has(> table)');
    await region.getByRole('row').nth(10).waitFor();
    const hidden = () =>
      region.evaluate((element) => ({
        rows: element.scrollHeight > element.clientHeight,
        columns: element.scrollWidth > element.clientWidth,
      }));
    expect(await hidden()).toEqual({ rows: true, columns: true });
    await page.emulateMedia({ media: 'print' });
    await expect.poll(hidden).toEqual({ rows: false, columns: false });
    // A4 between the margins of the browser: the name is readable, and controls are not printed.
    await page.setViewportSize({ width: 718, height: 1000 });
    const name = region.getByRole('rowheader').first();
    await expect.poll(() => name.evaluate((cell) => cell.clientWidth)).toBeGreaterThan(150);
    const controls = [region.getByRole('checkbox'), page.getByRole('button', { name: 'Export' })];
    for (const control of controls) expect(await control.first().isVisible()).toBe(false);
    await page.emulateMedia({ media: null });
  });

  it('draws a chart with one point, and its tooltip in the colors of the dark theme', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${origin}/dashboard/overview`);
    const trend = page.getByRole('region', { name: 'Risk Exposure Trend' });
    const point = trend.locator('.apexcharts-marker[default-marker-size="5"]');
    await point.waitFor();
    const isVisible = () =>
      point.evaluate((element) => element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }));
    await expect.poll(isVisible).toBe(true);
    await trend.scrollIntoViewIfNeeded();
    const readTooltip = () =>
      trend.evaluate((region) => {
        const tooltip = region.querySelector('.apexcharts-tooltip.apexcharts-active');
        if (tooltip === null) return null;
        const title = tooltip.querySelector('.apexcharts-tooltip-title') ?? tooltip;
        return {
          ground: getComputedStyle(tooltip).backgroundColor,
          ink: getComputedStyle(tooltip).color,
          head: getComputedStyle(title).backgroundColor,
        };
      });
    // When its numbers arrive, the chart is drawn again, without the tooltip.
    const tooltip = await vi.waitFor(async () => {
      await page.mouse.move(0, 0);
      await point.hover({ force: true });
      const colors = await readTooltip();
      assert(colors);
      return colors;
    });
    const surface = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const lightness = (color: string) => Math.max(...(color.match(/\d+/gu) ?? []).slice(0, 3).map(Number));
    expect(lightness(surface)).toBeLessThan(64);
    expect(lightness(tooltip.ground)).toBeLessThan(64);
    expect(lightness(tooltip.head)).toBeLessThan(64);
    expect(lightness(tooltip.ink)).toBeGreaterThan(192);
    await page.emulateMedia({ colorScheme: null });
  });

  it('names a recent report beside its state and date in a window of 390 px', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const status = await page.evaluate(async () => {
      const time = '2026-03-01T09:00:00.000Z';
      const references = [{ source_name: 'cve', external_id: 'CVE-2026-none' }];
      const object = {
        type: 'vulnerability',
        spec_version: '2.1',
        id: 'vulnerability--4a5b6c7d-1111-4222-8333-444455556666',
        created: time,
        modified: time,
        name: 'Pump accepts any firmware',
        external_references: references,
      };
      const bundle = {
        type: 'bundle',
        id: 'bundle--4a5b6c7d-1111-4222-8333-444455556667',
        objects: [object],
      };
      const body = new FormData();
      body.append('stixFile', new Blob([JSON.stringify(bundle)]), 'pump-stations-and-reservoirs.json');
      return (await fetch('/api/reports/upload', { method: 'POST', body })).status;
    });
    expect(status).toBe(201);
    const issues = () =>
      page.evaluate(async () => {
        const answer = await fetch('/api/reports/files');
        const { files } = (await answer.json()) as { files: { issues: number }[] };
        return files[0]?.issues;
      });
    await expect.poll(issues, { timeout: 20_000 }).toBe(1);
    await page.goto(`${origin}/dashboard`);
    const card = page.getByRole('region', { name: 'Recent reports' });
    const name = card.getByRole('link', { name: 'pump-stations-and-reservoirs.json' });
    await name.waitFor();
    const right = async (part: Locator) => {
      const box = await part.boundingBox();
      return (box?.x ?? 0) + (box?.width ?? 0);
    };
    expect((await name.boundingBox())?.width ?? 0).toBeGreaterThan(200);
    expect(await right(card.locator('time'))).toBeLessThan(await right(card));
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('shows the size of a file in full in the list of files, from a window of 1280 px on', async () => {
    const status = await page.evaluate(async () => {
      const id = 'bundle--4a5b6c7d-1111-4222-8333-444455556668';
      const content = JSON.stringify({ type: 'bundle', id, objects: [] }).padEnd(1023);
      const body = new FormData();
      body.append('stixFile', new Blob([content]), 'empty.json');
      return (await fetch('/api/reports/upload', { method: 'POST', body })).status;
    });
    expect(status).toBe(201);
    const cut: Record<number, boolean> = {};
    for (const width of [1280, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${origin}/dashboard/reports`);
      const size = page.getByRole('cell', { name: '1023 Bytes' });
      await size.waitFor();
      await page.evaluate(() => document.fonts.ready);
      cut[width] = await isCut(size);
    }
    expect(cut).toEqual({ 1280: false, 1440: false });
  });

  it('shows every page in the rail of a window of 768 px, and a line where the rail covers some in a lower one', async () => {
    await page.goto(`${origin}/dashboard/overview`);
    const rail = page.locator('aside');
    const foot = rail.locator('nav > div').last();
    const line = () => foot.evaluate((element) => getComputedStyle(element).borderTopColor);
    await page.setViewportSize({ width: 1024, height: 768 });
    const activity = rail.getByRole('link', { name: 'Activity' });
    await activity.waitFor();
    const end = async (part: Locator) => (await part.boundingBox()) ?? { y: 0, height: 0 };
    const { y, height } = await end(activity);
    expect(y + height).toBeLessThanOrEqual((await end(foot)).y);
    expect(await line()).toBe('rgba(0, 0, 0, 0)');
    await page.setViewportSize({ width: 1024, height: 600 });
    await expect.poll(line).not.toBe('rgba(0, 0, 0, 0)');
  });

  it('shows the settings and the current page in the rail of a window of 600 px', async () => {
    await page.setViewportSize({ width: 1280, height: 600 });
    await page.goto(`${origin}/dashboard/activity`);
    const rail = page.getByRole('navigation', { name: 'Main' });
    const boxOf = async (name: string) => {
      const box = await rail.getByRole('link', { name, exact: true }).boundingBox();
      return { top: box?.y ?? -1, bottom: (box?.y ?? 0) + (box?.height ?? 0) };
    };
    await rail.getByRole('link', { name: 'Activity' }).waitFor();
    const settings = await boxOf('Settings');
    const below = await page.getByRole('button', { name: 'Collapse navigation' }).boundingBox();
    expect(settings.bottom).toBeLessThanOrEqual(below?.y ?? 0);
    expect((await boxOf('Activity')).bottom).toBeLessThanOrEqual(settings.top);
  });

  it('opens the alerts below their button, also in a window that is too low for them', async () => {
    await page.setViewportSize({ width: 1440, height: 240 });
    await page.goto(`${origin}/dashboard/jobs`);
    const button = page.getByRole('button', { name: 'Alerts', exact: true });
    await button.click();
    const panel = page.getByRole('dialog', { name: 'Alerts' });
    await panel.getByText('No alerts yet.').waitFor();
    const [above, below] = [await button.boundingBox(), await panel.boundingBox()];
    expect(below?.y ?? 0).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0));
  });

  it.each([390, 1440])(
    'breaks the lines of a code sample between words in a window of %i px',
    async (width) => {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${origin}/dashboard/settings/webhooks`);
      const code = page.getByRole('figure', { name: 'Example for Node.js' }).locator('code');
      const broken = await code.evaluate((element) => {
        const [text] = element.childNodes;
        return [...(text?.textContent ?? '').matchAll(/\w+/gu)].flatMap(({ 0: word, index }) => {
          const range = document.createRange();
          range.setStart(text ?? element, index);
          range.setEnd(text ?? element, index + word.length);
          return range.getClientRects().length > 1 ? [word] : [];
        });
      });
      expect(broken).toEqual([]);
    },
  );

  it('shows in forced colors which buttons are disabled', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await page.goto(`${origin}/dashboard/settings/organization`);
    const disabled = page.locator('main button[aria-disabled=true]').first();
    await disabled.waitFor();
    const colorOf = (part: Locator) => part.evaluate((element) => getComputedStyle(element).color);
    expect(await colorOf(disabled)).not.toBe(await colorOf(page.getByRole('button', { name: 'Theme' })));
    await page.emulateMedia({ forcedColors: null });
  });
});
