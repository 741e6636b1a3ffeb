import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { abortCalls, goTo, load, type PageCase, type SpecCase } from '../../page-cases.ts';
import { repeatUnavailableInBrowser } from '../../../../support/repeat-unavailable.ts';

interface Counted {
  readonly count: number;
  readonly link: string;
}

interface Metric {
  readonly value: number;
  readonly link: string;
}

interface Metrics extends Record<
  'totalThreats' | 'openVulnerabilities' | 'newVulnerabilities' | 'assetsAtRisk' | 'activeThreats',
  Metric
> {
  readonly alerts: readonly Counted[];
  readonly insights: readonly Counted[];
  readonly funnel: readonly Counted[];
}

interface Categories {
  readonly categories: readonly (Counted & { readonly name: string; readonly value: number })[];
}

async function read<Reply>(page: Page, path: string): Promise<Reply> {
  const reply = await repeatUnavailableInBrowser(() => page.request.get(new URL(path, page.url()).href));
  return (await reply.json()) as Reply;
}

const readMetrics = (page: Page) => read<Metrics>(page, '/api/overview/metrics');
const readCategories = (page: Page) => read<Categories>(page, '/api/overview/risk-categories');

const cards = {
  'Total Threats': 'totalThreats',
  'Open Vulnerabilities': 'openVulnerabilities',
  'New Vulnerabilities': 'newVulnerabilities',
  'Assets at Risk': 'assetsAtRisk',
} as const;

const metricCard = ([label, metric]: [string, (typeof cards)[keyof typeof cards]]): SpecCase => ({
  spec: `2, Overview: metric card ${label} with its number and 'See Detail'`,
  async check(page) {
    const { value, link } = (await readMetrics(page))[metric];
    const card = page.getByRole('region', { name: 'Metrics' }).getByRole('article', { name: label });
    await card.getByRole('button', { name: `${value}, explain ${label}` }).waitFor();
    const detail = card.getByRole('link', { name: `See Detail of ${label}` });
    // Without filters the address asks for the whole list, because the user may have a default view.
    const list = link.includes('?') ? link : `${link}?view=none`;
    expect(new URL((await detail.getAttribute('href')) ?? '', page.url()).href).toBe(
      new URL(list, page.url()).href,
    );
  },
});
const metricCards = Object.entries(cards).map(metricCard);

const enhancedCards = [
  'Overall Risk Score',
  'Active Threats',
  'Open Vulnerabilities',
  'Remediation Rate',
].map((label): SpecCase => ({
  spec: `2, Overview: enhanced card ${label}`,
  check: (page) =>
    page
      .getByRole('region', { name: 'Risk and remediation' })
      .getByRole('article', { name: label })
      .getByRole('button', { name: `explain ${label}` }),
}));

/** Opens a list and waits until it shows the count. */
async function expectListOf(page: Page, { count, link }: Counted): Promise<void> {
  await page.goto(new URL(link, page.url()).href);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const pager = new RegExp(`^1–\\d+ of ${count.toLocaleString('en-US')}$`, 'u');
  const shown = page.getByText(count === 0 ? /^No (?:vulnerabilities|threats|assets) found\.$/u : pager);
  await shown
    .first()
    .waitFor()
    .catch((cause: unknown) => {
      throw new Error(`${link} does not show ${count} rows`, { cause });
    });
}

/** Every number of the overview and the list that it opens. */
async function countedOf(page: Page): Promise<Counted[]> {
  const metrics = await readMetrics(page);
  const { categories } = await readCategories(page);
  const single = [...Object.values(cards), 'activeThreats' as const].map((name) => ({
    count: metrics[name].value,
    link: metrics[name].link,
  }));
  const { alerts, insights, funnel } = metrics;
  const all = [...single, ...alerts, ...insights, ...funnel, ...categories];
  return [...new Map(all.map(({ count, link }) => [`${link} ${count}`, { count, link }])).values()];
}

const open: PageCase['open'] = async (page, scenario) => {
  await goTo(page, scenario, '/dashboard/overview');
  await page.getByRole('region', { name: 'Metrics' }).getByRole('link').first().waitFor();
};

/** The overview with its numbers, charts, alerts and insights. */
export const overviewPage: readonly PageCase[] = [
  {
    where: '/dashboard/overview',
    open,
    cases: [
      ...metricCards,
      ...enhancedCards,
      {
        spec: '9, Overview: the progress bar shows 100 minus the score',
        async check(page) {
          const card = page.getByRole('article', { name: 'Overall Risk Score' });
          const score = Number((await card.getByRole('button').textContent()) ?? '');
          expect(await card.getByRole('progressbar').getAttribute('aria-valuenow')).toBe(`${100 - score}`);
        },
      },
      {
        spec: '2, Overview: security status banner',
        check: (page) =>
          page.getByRole('region', { name: 'Security status' }).getByRole('button', {
            name: /^(?:Excellent|Good|Fair|Poor|Critical), explain Security status$/u,
          }),
      },
      {
        spec: "2, Risk Exposure Trend titled 'Monthly summary of risk levels', axis 0 to 10 with every tick (9)",
        async check(page) {
          const trend = page.getByRole('region', { name: 'Risk Exposure Trend' });
          await trend.getByRole('heading', { name: 'Monthly summary of risk levels' }).waitFor();
          const labels = trend.locator('.apexcharts-yaxis-label tspan');
          await labels.first().waitFor();
          const ticks = (await labels.allTextContents()).map(Number).toSorted((a, b) => a - b);
          expect(ticks).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        },
      },
      {
        spec: '9, Risk categories: at most four arcs from 90 degrees, the value as a percent of 360 degrees',
        async check(page) {
          const { categories } = await readCategories(page);
          const chart = page.getByRole('region', { name: 'Risk Categories' });
          const arcs = chart.locator('path[class*="apexcharts-radialbar-slice-"]');
          await arcs.first().waitFor();
          expect(await arcs.count()).toBe(categories.length);
          expect(categories.length).toBeLessThanOrEqual(4);
          const angles = await arcs.evaluateAll((paths) =>
            paths.map((path) => Number(path.getAttribute('data:angle'))),
          );
          expect(angles.map(Math.round)).toEqual(categories.map(({ value }) => Math.round(value * 3.6)));
        },
      },
      {
        spec: '2, Risk Categories: estimated impact and last-synced time',
        async check(page) {
          const part = page.getByRole('region', { name: 'Risk Categories' });
          await part.getByRole('button', { name: /^\$[\d.,]+[MK]?, explain Estimated impact$/u }).waitFor();
          await part.getByText('Last synced').waitFor();
        },
      },
      {
        spec: "2, Overview cards: 'Critical Alerts' with links to the filtered lists",
        check: (page) =>
          page
            .getByRole('region', { name: 'Critical Alerts' })
            .getByRole('link', { name: 'Critical vulnerabilities', exact: true })
            .and(page.locator('[href="/dashboard/vulnerabilities?severity=critical"]')),
      },
      {
        spec: "2, Overview cards: 'Actionable Insights' with suggested times (9)",
        check: (page) =>
          page.getByRole('region', { name: 'Actionable Insights' }).getByText('2-4 hours', { exact: true }),
      },
      {
        spec: 'issue, every number opens its explanation',
        async check(page) {
          await page.getByRole('button', { name: /explain Total Threats$/u }).click();
          await page.getByRole('dialog').getByText('Total Threats').first().waitFor();
          await page.keyboard.press('Escape');
          await page.getByRole('dialog').waitFor({ state: 'detached' });
        },
      },
      {
        spec: 'issue, each number equals the count of the list that its link opens',
        async check(page) {
          const counted = await countedOf(page);
          expect(counted.length).toBeGreaterThan(8);
          for (const one of counted) await expectListOf(page, one);
        },
      },
    ],
  },
  {
    where: '/dashboard/overview without replies',
    failures: [
      { status: 'none', url: /^\/api\/overview\/metrics$/u },
      { status: 'none', url: /^\/api\/overview\/risk-exposure-trend$/u },
    ],
    async open(page, scenario) {
      await abortCalls(page, /\/api\/overview\/(?:metrics|risk-exposure-trend)$/u);
      await load(page, scenario, '/dashboard/overview');
    },
    cases: [
      {
        spec: "8, 'Failed to load metrics'; the other parts are shown",
        async check(page) {
          await page.getByText('Failed to load metrics').waitFor();
          await page.getByRole('region', { name: 'Risk Categories' }).getByRole('table').waitFor();
        },
      },
      {
        spec: "8, 'Failed to load chart data.' with its own Retry",
        async check(page) {
          const trend = page.getByRole('region', { name: 'Risk Exposure Trend' });
          await trend.getByText('Failed to load chart data.').waitFor();
          await page.unroute(/\/api\/overview\/(?:metrics|risk-exposure-trend)$/u);
          await trend.getByRole('button', { name: 'Retry' }).click();
          await trend.getByRole('heading', { name: 'Monthly summary of risk levels' }).waitFor();
          await page.getByRole('region', { name: 'Metrics' }).getByRole('button', { name: 'Retry' }).click();
          await page.getByRole('article', { name: 'Total Threats' }).getByRole('link').waitFor();
        },
      },
    ],
  },
];
