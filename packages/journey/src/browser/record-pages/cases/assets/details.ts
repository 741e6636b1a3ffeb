import { expect } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { fact } from '../../locators.ts';
import { abortCalls, alterReplies, goTo, load, type PageCase } from '../../page-cases.ts';
import { seedNames } from '../../seed-records.ts';

const project = 'Harbour renewal';
const unknownId = '018f0000-0000-7000-8000-000000000000';

const region = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

/** Scores of three days in a row, one of each band; the score of the seed is recorded on one day only. */
const trend = [2.5, 5, 8].map((score, n) => ({
  at: `2026-03-0${n + 1}T10:00:00.000Z`,
  score,
  cause: 'daily',
  by: '',
}));

/** The drawn bars of the risk trend: their height in pixels and their color. */
const drawnBars = (page: Page): Promise<{ height: number; color: string }[]> =>
  region(page, 'Risk trend')
    .locator('svg path.apexcharts-bar-area')
    .evaluateAll((bars) =>
      bars.map((bar) => ({
        height: Math.round(bar.getBoundingClientRect().height),
        color: getComputedStyle(bar).fill,
      })),
    );

/** The page of an asset. The suite has the same assets afterwards. */
export const assetDetails: readonly PageCase[] = [
  {
    where: '/dashboard/assets/{id}',
    open: (page, scenario) => goTo(page, scenario, `/dashboard/assets/${scenario.seed.assets.crane}`),
    cases: [
      {
        spec: '2, Asset detail: header',
        async check(page) {
          const header = page.locator('main header').first();
          for (const text of ['Hardware', 'Warning', 'Mission Critical', 'Active'])
            await header.getByText(text, { exact: true }).waitFor();
          await header.getByRole('link', { name: project }).waitFor();
        },
      },
      {
        spec: '9, Criticality text: 4 or more Mission Critical, impact Critical, priority Critical',
        async check(page) {
          const criticality = region(page, 'Criticality');
          await criticality.getByText('Mission Critical').waitFor();
          await expect.poll(() => fact(page, 'Impact').first().textContent()).toBe('Critical');
          await expect.poll(() => fact(page, 'Priority').first().textContent()).toBe('Critical');
        },
      },
      {
        spec: '3, Confidentiality out of 5',
        check: (page) => region(page, 'Security profile').getByText('3 / 5', { exact: true }),
      },
      {
        spec: '3, integrity and availability are shown out of 4',
        check: (page) => region(page, 'Security profile').getByText('4 / 4', { exact: true }),
      },
      {
        spec: '2, Asset detail: a level that is not set says so',
        check: (page) => region(page, 'Security profile').getByText('Not set', { exact: true }),
      },
      {
        spec: '2, Asset detail: costs in the business impact',
        check: (page) => region(page, 'Business impact').getByText('Replacement cost'),
      },
      {
        spec: '2, threat scenario: related threats, with their level',
        check: (page) =>
          region(page, 'Related threats')
            .getByRole('listitem')
            .filter({ hasText: '80 High' })
            .getByRole('link', { name: seedNames.above }),
      },
      {
        spec: '2, threat scenario: related vulnerabilities, worst first, with severity and status',
        check: (page) =>
          expect
            .poll(async () => {
              const items = await region(page, 'Related vulnerabilities')
                .getByRole('listitem')
                .allTextContents();
              return items.map((text) => [text.includes(seedNames.nine), text.includes('Mitigated')]);
            })
            .toEqual([
              [true, false],
              [false, true],
            ]),
      },
      {
        spec: '2, Asset detail: activity',
        check: (page) => region(page, 'Activity').getByText('created the asset'),
      },
    ],
  },
  {
    where: '/dashboard/assets/{id} with recorded scores',
    async open(page, scenario) {
      await alterReplies(page, /\/api\/assets\/[\w-]{36}\/score$/u, (body: object) => ({
        ...body,
        history: trend,
      }));
      await load(page, scenario, `/dashboard/assets/${scenario.seed.assets.crane}`);
    },
    cases: [
      {
        spec: '2, Asset detail: the risk trend is drawn as a bar for each recorded day, as high as its score, in both themes',
        async check(page) {
          const bars = async () => (await drawnBars(page)).filter(({ height }) => height > 0);
          // The chart loads after the page.
          await expect.poll(async () => (await bars()).length).toBe(trend.length);
          const ratios = async () => {
            const [low = 0, middle = 0, high = 0] = (await bars()).map(({ height }) => height);
            return [middle / low, high / low].map(Math.round);
          };
          await expect.poll(ratios).toEqual([2, 3]);
          const light = await bars();
          try {
            await page.emulateMedia({ colorScheme: 'dark' });
            const changed = async () =>
              (await bars()).filter(({ color }, n) => color !== light[n]?.color).length;
            await expect.poll(changed).toBe(trend.length);
            await expect.poll(ratios).toEqual([2, 3]);
          } finally {
            await page.emulateMedia({ colorScheme: 'light' });
          }
          await page.unroute(/\/api\/assets\/[\w-]{36}\/score$/u);
        },
      },
    ],
  },
  {
    where: '/dashboard/assets/{id} of an unknown asset',
    failures: [{ status: 404, url: new RegExp(`^/api/assets/${unknownId}(?:/score)?$`, 'u') }],
    open: (page, scenario) => page.goto(`${scenario.origin}/dashboard/assets/${unknownId}`),
    cases: [
      {
        spec: 'issue, an asset that does not exist is not a failure to load',
        async check(page) {
          await page.getByText('Asset not found.').waitFor();
          expect(await page.getByText('Unable to load asset details.').count()).toBe(0);
          await page.getByRole('link', { name: 'All assets' }).waitFor();
        },
      },
    ],
  },
  {
    where: '/dashboard/assets/{id} without a response',
    failures: [{ status: 'none', url: /^\/api\/assets\/[\w-]{36}$/u }],
    async open(page, scenario) {
      await abortCalls(page, /\/api\/assets\/[\w-]{36}$/u);
      await load(page, scenario, `/dashboard/assets/${scenario.seed.assets.crane}`);
    },
    cases: [
      {
        spec: "8, 'Error Loading Asset — Unable to load asset details. Please try again later.'",
        async check(page) {
          const alert = page.getByRole('alert').filter({ hasText: 'Error Loading Asset' });
          await alert.getByText('Unable to load asset details. Please try again later.').waitFor();
          await page.unroute(/\/api\/assets\/[\w-]{36}$/u);
        },
      },
    ],
  },
];
