import { expect } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { abortCalls, goTo, load, type PageCase } from '../../page-cases.ts';

const region = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

/** Texts of the cells of a table, head included. */
const cellsOf = (table: Locator): Promise<string[][]> =>
  table
    .locator('tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent.trim())));

/** '−3.5', '+12', '1,200'. */
const numberOf = (text: string | undefined): number =>
  Number((text ?? '').replace('−', '-').replaceAll(/[+,]/gu, ''));

const dayMs = 86_400_000;
const today = () => new Date().toISOString().slice(0, 10);
const daysAgo = (count: number) => new Date(Date.parse(today()) - count * dayMs).toISOString().slice(0, 10);

/** Ten recorded days with a gap of one day; the organization of the suite has recorded only today. */
const history = () => ({
  days: Array.from({ length: 10 }, (_, at) => ({
    date: daysAgo(9 - at),
    score: 40 + 4 * at,
    totalThreats: 5,
    openVulnerabilities: 10 + at,
    newVulnerabilities: 3,
    assetsAtRisk: 1,
    exposure: 5 + at / 10,
  })).filter(({ date }) => date !== daysAgo(4)),
  weeks: [
    { week: daysAgo(14), found: 6, resolved: 2, net: -4, fixed: 2, p50: 3, p95: 12 },
    { week: daysAgo(7), found: 1, resolved: 4, net: 3, fixed: 3, p50: 4, p95: 9 },
  ],
  recomputedAt: new Date().toISOString(),
  firstRecordedDay: daysAgo(9),
});

const historyCall = /\/api\/overview\/history/u;

/** Stroke of the line of the overall risk score, and the number of its parts. */
const drawnLine = (page: Page): Promise<{ parts: number; color: string }[]> =>
  region(page, 'Overall risk score')
    .locator('svg path.apexcharts-line')
    .evaluateAll((lines) =>
      lines.map((line) => ({
        parts: (line.getAttribute('d') ?? '').split('M').filter((part) => part.includes('L')).length,
        color: getComputedStyle(line).stroke,
      })),
    );

/** The explanations, causes and history of the overview. */
export const overviewHistory: readonly PageCase[] = [
  {
    where: '/dashboard/overview?explain=overallRisk',
    // The dialog may open before the heading of the page is seen, which is hidden below it.
    async open(page, scenario) {
      await page.goto(`${scenario.origin}/dashboard/overview?explain=overallRisk`);
      await page.getByRole('dialog').getByRole('table', { name: 'Inputs' }).waitFor();
    },
    cases: [
      {
        spec: '9, Overall risk score: its inputs, rounding and cap sum up to the number',
        async check(page) {
          const table = page.getByRole('dialog').getByRole('table', { name: 'Inputs' });
          await table.waitFor();
          const rows = await cellsOf(table);
          const adds = rows.slice(1, -1).map((row) => numberOf(row.at(-1)));
          expect(rows.slice(1, 5).map((row) => row[2])).toEqual(['2', '3', '2', '1.5']);
          expect(adds.reduce((sum, one) => sum + one, 0)).toBe(numberOf(rows.at(-1)?.at(-1)));
        },
      },
      {
        spec: '9, Overall risk score: the bands Low, Medium and High, of which one is current',
        async check(page) {
          const bands = page.getByRole('dialog').getByRole('region', { name: 'Bands' });
          const items = await bands.getByRole('listitem').allTextContents();
          expect(items.map((text) => text.replace('Current', ''))).toEqual([
            'High60 or more',
            'Medium30 to 59',
            'Low0 to 29',
          ]);
          expect(await bands.getByText('Current', { exact: true }).count()).toBe(1);
        },
      },
      {
        spec: 'issue, Explained: each input opens a list with exactly that many records',
        async check(page) {
          const table = page.getByRole('dialog').getByRole('table', { name: 'Inputs' });
          const rows = await cellsOf(table);
          for (const [at, [name = '', value]] of rows.slice(1, 5).entries()) {
            await table.getByRole('link').nth(at).click();
            await page.waitForURL((url) => !url.pathname.endsWith('/overview'));
            if (value === '0') await page.locator('[data-empty]').first().waitFor();
            else await page.getByText(new RegExp(`–\\d+ of ${value}$`, 'u')).waitFor();
            expect(name).not.toBe('');
            await page.goBack();
            await table.waitFor();
          }
        },
      },
      {
        spec: 'issue, Explained: Escape closes the explanation and the URL no longer names it',
        async check(page) {
          await page.keyboard.press('Escape');
          await page.getByRole('dialog').waitFor({ state: 'detached' });
          expect(new URL(page.url()).search).toBe('');
        },
      },
    ],
  },
  {
    where: '/dashboard/overview?since=yesterday',
    open: (page, scenario) => goTo(page, scenario, '/dashboard/overview?since=yesterday'),
    cases: [
      {
        spec: 'issue, Why did the number move: the signed causes lead exactly from one score to the other',
        async check(page) {
          const card = region(page, 'Why did the number move');
          await card.getByRole('list', { name: 'Causes' }).waitFor();
          await card.getByRole('radio', { name: 'Table' }).click();
          const rows = await cellsOf(card.getByRole('table'));
          const [from, to] = [rows[1], rows.at(-1)].map((row) => numberOf(row?.at(-1)));
          const changes = rows.slice(2, -1).map((row) => numberOf(row.at(-2)));
          expect(changes.length).toBeGreaterThan(0);
          expect(changes.reduce((sum, one) => sum + one, 0)).toBe((to ?? 0) - (from ?? 0));
        },
      },
      {
        spec: 'issue, Why did the number move: a cause opens its records',
        async check(page) {
          const card = region(page, 'Why did the number move');
          await card.getByRole('link', { name: 'Vulnerabilities found' }).click();
          await page.waitForURL(/\/dashboard\/vulnerabilities\?/u);
          await page.getByRole('heading', { level: 1, name: 'Vulnerabilities' }).waitFor();
          await page.goBack();
          await card.getByRole('list', { name: 'Causes' }).waitFor();
        },
      },
      {
        spec: 'issue, Why did the number move: the exposure of the same days',
        async check(page) {
          const card = region(page, 'Why did the number move');
          await card.getByRole('radio', { name: 'Exposure' }).click();
          // The organization of the suite has recorded only today: yesterday has no mean severity.
          await card.getByText(/^Not recorded on /u).waitFor();
          expect(new URL(page.url()).searchParams.get('measure')).toBe('exposure');
        },
      },
      {
        spec: 'issue, What to do first: at most five actions with the score after each',
        async check(page) {
          const actions = region(page, 'What to do first').getByRole('list', { name: 'Actions' });
          await actions.waitFor();
          const texts = await actions.getByRole('listitem').allTextContents();
          expect(texts.length).toBeLessThanOrEqual(5);
          for (const text of texts) expect(text).toMatch(/\d+ → \d+|Score stays \d+/u);
        },
      },
      {
        spec: 'issue, History: a single recorded day is too little for a chart',
        check: (page) => region(page, 'Overall risk score').getByText('No history yet.'),
      },
    ],
  },
  {
    where: '/dashboard/overview with ten recorded days',
    async open(page, scenario) {
      await page.route(historyCall, (route) => route.fulfill({ json: history() }));
      await load(page, scenario, `/dashboard/overview?from=${daysAgo(9)}&to=${daysAgo(1)}`);
    },
    cases: [
      {
        spec: 'issue, History: a day without a record is a gap in the line and is named, in both themes',
        async check(page) {
          const parts = async () => (await drawnLine(page)).reduce((sum, line) => sum + line.parts, 0);
          await expect.poll(parts).toBe(2);
          await region(page, 'Overall risk score')
            .getByText(/^Not recorded: /u)
            .waitFor();
          const light = await drawnLine(page);
          try {
            await page.emulateMedia({ colorScheme: 'dark' });
            const changed = async () =>
              (await drawnLine(page)).filter(({ color }, at) => color !== light[at]?.color).length;
            await expect.poll(changed).toBe(light.length);
          } finally {
            await page.emulateMedia({ colorScheme: 'light' });
          }
        },
      },
      {
        spec: 'issue, History: a chart is a table too',
        async check(page) {
          const card = region(page, 'Overall risk score');
          await card.getByRole('radio', { name: 'Table' }).click();
          const rows = await cellsOf(card.getByRole('table'));
          const scores = ['76', '72', '68', '64', 'Not recorded', '56', '52', '48', '44', '40'];
          expect(rows.slice(1).map((row) => row.at(-1))).toEqual(scores);
        },
      },
      {
        spec: 'issue, History: two dates side by side, with the difference and whether it is good',
        async check(page) {
          const table = page.getByRole('table', { name: 'Two dates side by side' });
          await table.waitFor();
          const [, score] = await cellsOf(table);
          expect(score).toEqual(['Overall risk score', '40', '72', '+32Worse']);
        },
      },
      {
        spec: 'issue, History: the range of the charts is in the URL',
        async check(page) {
          await page
            .getByRole('radiogroup', { name: 'Range of the history' })
            .getByRole('radio', { name: '1 year' })
            .click();
          await page.waitForURL(/range=1y/u);
          await page.unroute(historyCall);
        },
      },
    ],
  },
  {
    where: '/dashboard/overview without a response of the history',
    failures: [{ status: 'none', url: /^\/api\/overview\/history/u }],
    async open(page, scenario) {
      await abortCalls(page, historyCall);
      await load(page, scenario, '/dashboard/overview');
    },
    cases: [
      {
        spec: "8, 'Failed to load chart data.' with its own Retry; the rest of the page stays",
        async check(page) {
          const card = region(page, 'Overall risk score');
          await card.getByText('Failed to load chart data.').waitFor();
          await region(page, 'What to do first').getByRole('list', { name: 'Actions' }).waitFor();
          await page.unroute(historyCall);
          await card.getByRole('button', { name: 'Retry' }).click();
          await card.getByText('No history yet.').waitFor();
        },
      },
    ],
  },
];
