import { expect } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { seedNames } from '../seed-records.ts';
import { goTo, type PageCase } from '../page-cases.ts';

const graph = (page: Page): Locator => page.getByRole('application', { name: /^Asset Graphical Modelling/u });
const zoom = (page: Page): Locator => page.getByRole('status', { name: 'Zoom' });

/** Presses a zoom button until it is disabled. */
async function press(page: Page, name: 'Zoom in' | 'Zoom out'): Promise<void> {
  const button = page.getByRole('button', { name });
  for (let times = 0; times < 20 && (await button.isEnabled()); times += 1) await button.click();
}

const scale = (page: Page): Locator =>
  page.getByRole('list', { name: 'Vulnerabilities: CVSS or severity, 0–10' });

const colored = (spec: string, entry: string, color: string) => ({
  spec: `4, Graph node colours by CVSS: ${spec}`,
  async check(page: Page) {
    const swatch = scale(page).getByRole('listitem').filter({ hasText: entry }).locator('svg');
    expect(await swatch.evaluate((shape) => getComputedStyle(shape).color)).toBe(color);
  },
});

export const graphs: readonly PageCase[] = [
  {
    where: "the graph 'Asset Graphical Modelling'",
    async open(page, scenario) {
      await goTo(page, scenario, `/dashboard/vulnerabilities/${scenario.seed.vulnerabilities.nine}`);
      await graph(page).and(page.locator('[data-drawn=true]')).waitFor();
    },
    cases: [
      {
        spec: "2, Vulnerability detail: 'Asset Graphical Modelling'",
        check: (page) => page.getByRole('heading', { name: 'Asset Graphical Modelling' }),
      },
      {
        spec: '9, Graph height 600px',
        check: (page) => expect.poll(async () => (await graph(page).boundingBox())?.height).toBe(600),
      },
      { spec: '9, zoom initial 0.5', check: (page) => zoom(page).getByText('50%') },
      {
        spec: '9, zoom range to 1',
        async check(page) {
          await press(page, 'Zoom in');
          await zoom(page).getByText('100%').waitFor();
        },
      },
      {
        spec: '9, zoom range from 0.1',
        async check(page) {
          await press(page, 'Zoom out');
          await zoom(page).getByText('10%').waitFor();
        },
      },
      {
        spec: '9, the wheel ends at the same limits',
        async check(page) {
          await graph(page).scrollIntoViewIfNeeded();
          // The wheel scrolls the page until the graph has the focus.
          await graph(page).focus();
          await graph(page).hover();
          for (let step = 0; step < 30; step += 1) await page.mouse.wheel(0, -400);
          await expect.poll(() => zoom(page).textContent()).toBe('100%');
          await page.getByRole('button', { name: 'Fit to view' }).click();
        },
      },
      colored('at least 9 dark red', 'Critical ≥ 9', 'rgb(156, 27, 51)'),
      colored('at least 7 orange', 'High ≥ 7', 'rgb(232, 115, 12)'),
      colored('at least 4 yellow', 'Medium ≥ 4', 'rgb(242, 197, 29)'),
      colored('otherwise green', 'Low < 4', 'rgb(55, 168, 102)'),
      {
        spec: 'issue, Graphs: search and a peek panel',
        async check(page) {
          await page.getByRole('combobox', { name: 'Find in the graph' }).fill('crane con');
          await page.getByRole('option', { name: /Crane controller/u }).click();
          await page.getByRole('region', { name: 'Asset: Crane controller' }).waitFor();
        },
      },
      {
        spec: 'issue, Graphs: the open card leaves the zoom controls free',
        async check(page) {
          for (const name of ['Zoom out', 'Zoom in', 'Fit to view'])
            await page.getByRole('button', { name }).click();
          await page.getByRole('region', { name: 'Asset: Crane controller' }).waitFor();
        },
      },
      {
        spec: '2, linking the vulnerability to its related assets',
        check: (page) =>
          page
            .getByRole('region', { name: 'Asset: Crane controller' })
            .getByRole('button', { name: new RegExp(seedNames.nine, 'u') }),
      },
      {
        spec: 'issue, Graphs: legend switches a kind off',
        async check(page) {
          await page
            .getByRole('region', { name: 'Asset: Crane controller' })
            .getByRole('button', { name: 'Close' })
            .click();
          const assets = page.getByRole('group', { name: 'Show' }).getByRole('button', { name: /Assets/u });
          await assets.click();
          await assets.and(page.locator('[aria-pressed=false]')).waitFor();
          await assets.click();
        },
      },
      {
        spec: 'issue, Graphs: table as the accessible alternative',
        async check(page) {
          await page.getByRole('radio', { name: 'Table' }).click();
          const records = page.getByRole('table', { name: 'Asset Graphical Modelling: records' });
          for (const name of [seedNames.nine, 'Crane controller', 'Gate kiosk', seedNames.seven])
            await records.getByRole('rowheader', { name }).waitFor();
        },
      },
      {
        spec: 'UX, the table links to the records',
        async check(page) {
          await page.getByRole('button', { name: seedNames.seven }).click();
          await page.getByRole('heading', { name: seedNames.seven, level: 1 }).waitFor();
        },
      },
    ],
  },
];
