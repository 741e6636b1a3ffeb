import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seriousViolations } from '../support/axe.ts';
import { type Product, startProduct } from '../support/product.ts';
import { chromiumPath, openBrowser } from '../support/chromium.ts';
import { watchNetwork } from '../support/network-idle.ts';
import { openRoute } from '../support/open-route.ts';
import { openUpload, rowOf, signUp } from '../support/pages.ts';
import { stix21 } from '../support/sample-reports.ts';

const chromium = chromiumPath();
const themes = ['light', 'dark'] as const;
type Theme = (typeof themes)[number];
const size = { width: 1280, height: 800 } as const;
const publicRoutes = ['/', '/login', '/signup', '/no-such-page'] as const;
const routes = [
  '/dashboard',
  '/dashboard/reports',
  '/dashboard/reports?search=nothing-of-this-name',
  '/dashboard/reports/vulnerabilities',
  '/dashboard/reports/threats',
  '/dashboard/vulnerabilities',
  '/dashboard/threats',
  '/dashboard/assets',
  '/dashboard/projects',
  '/dashboard/weaknesses',
  '/dashboard/batches',
  '/dashboard/reports/vignettes',
  '/dashboard/jobs',
  '/dashboard/activity',
  '/dashboard/alerts',
  '/dashboard/settings/profile',
  '/dashboard/settings/security',
  '/dashboard/settings/members',
  '/dashboard/settings/alerts',
  '/dashboard/settings/webhooks',
  '/dashboard/settings/tokens',
  '/dashboard/settings/organization',
] as const;

/** Lists whose columns need more room than a screen of 1280 px has. */
const scrolling: ReadonlySet<string | null> = new Set(['Vulnerability data', 'Vignettes']);

/** Column headers that the tables of a page hide for lack of room. */
const hiddenColumns = (page: Page): Promise<(string | null)[]> =>
  page
    .locator('section > table th[scope=col]:not(:visible)')
    .evaluateAll((heads) => heads.map((head) => head.textContent));

const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);

/** Names of the tables that are wider than their place; `Table` marks them. */
const wideTables = (page: Page): Promise<(string | null)[]> =>
  page
    .locator('section[data-wide] > table')
    .evaluateAll((tables) => tables.map((table) => table.getAttribute('aria-label')));

/** WCAG 2.2 AA by axe: no serious or critical violation on any page, in both themes. */
describe.skipIf(chromium === null)('accessibility in both themes', () => {
  let product: Product;
  let browser: Browser;
  /** One for each theme: axe would measure a change of the theme in the middle of its transition. */
  let pages: Record<Theme, Page>;
  const idle = {} as Record<Theme, () => Promise<void>>;
  let reportPage = '';

  beforeAll(async () => {
    product = await startProduct();
    browser = await openBrowser(chromium ?? '');
    const context = await browser.newContext({
      viewport: size,
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(30_000);
    pages = { light: await context.newPage(), dark: await context.newPage() };
    for (const theme of themes) {
      await pages[theme].emulateMedia({ colorScheme: theme });
      idle[theme] = watchNetwork(pages[theme]);
    }
  });

  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  async function visit(route: string, theme: Theme): Promise<Page> {
    const page = pages[theme];
    await page.bringToFront();
    await openRoute(page, product.origins[0] ?? '', route);
    await idle[theme]();
    return page;
  }

  const rulesOf = (theme: Theme) => (theme === 'light' ? 'all' : 'colors');

  const inBoth = (all: readonly string[]) =>
    all.flatMap((route) => themes.map((theme) => [route, theme] as const));

  test.each(inBoth(publicRoutes))('%s, signed out, %s', async (route, theme) => {
    const page = await visit(route, theme);
    expect(await seriousViolations(page, rulesOf(theme))).toEqual([]);
  });

  test('signs up, and the upload dialog has no violation', async () => {
    await signUp(pages.dark, product.origins[0] ?? '');
    const page = await visit('/dashboard/reports', 'dark');
    const dialog = await openUpload(page);
    await dialog.locator('input[type=file]').setInputFiles([stix21]);
    expect(await seriousViolations(page, 'all')).toEqual([]);
    await dialog.getByRole('button', { name: 'Upload 1 file' }).click();
    await page.keyboard.press('Escape');
    await rowOf(page, stix21.name)
      .getByText(/^Extracted/u)
      .waitFor();
    reportPage = (await rowOf(page, stix21.name).getByRole('link').first().getAttribute('href')) ?? '';
  });

  test.each(inBoth(routes))('%s, %s', async (route, theme) => {
    const page = await visit(route, theme);
    expect(await seriousViolations(page, rulesOf(theme))).toEqual([]);
    expect((await wideTables(page)).filter((name) => !scrolling.has(name))).toEqual([]);
  });

  test('a screen of 1024 px with the open sidebar shows every default column, and only tables scroll sideways', async () => {
    const page = pages.light;
    await page.setViewportSize({ width: 1024, height: 768 });
    for (const route of routes) {
      await visit(route, 'light');
      const found = { hidden: await hiddenColumns(page), scrolls: await scrollsSideways(page) };
      expect({ route, ...found }).toEqual({ route, hidden: [], scrolls: false });
    }
    await page.setViewportSize(size);
  });

  test.each(themes)('import report with the open job drawer, %s', async (theme) => {
    const page = await visit(reportPage, theme);
    expect(await seriousViolations(page, rulesOf(theme))).toEqual([]);
    await page.getByRole('button', { name: /background jobs/i }).click();
    await page.getByRole('dialog', { name: 'Background jobs' }).waitFor();
    expect(await seriousViolations(page, rulesOf(theme))).toEqual([]);
  });
});
