import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { flaws } from '../../harbour-reports.ts';
import { dismissToasts, toast } from '../../locators.ts';
import { load, type PageCase } from '../../page-cases.ts';
import type { Scenario } from '../../scenario.ts';
import { until } from '../../wait-until.ts';

const card = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
const score = (page: Page): Locator => page.getByRole('status', { name: 'CWSS score' });
const factorRow = (page: Page, name: string): Locator =>
  page.getByRole('table', { name: 'CWSS factors' }).getByRole('row').filter({ hasText: name });
const editor = (page: Page): Locator => page.getByRole('dialog', { name: 'Set factors' });

interface Explained {
  score: number;
  stale: boolean;
  factors: { code: string; lowest: { value: string; score: number } }[];
}

/** Calculates the score of a vulnerability with a starter vignette, and waits for it. */
export async function scoreWith(scenario: Scenario, name: string, vignette: string): Promise<string> {
  const id = await scenario.idOf('vulnerabilities', name);
  const { items } = await scenario.api('GET', '/api/reports/vignette?pageSize=100');
  const found = (items as { _id: string; name: string }[]).find((one) => one.name === vignette);
  if (found === undefined) throw new Error(`no vignette has the name ${vignette}`);
  await scenario.api('POST', '/api/reports/vulnerability/calculateCwss', { id, vignetteId: found._id });
  await until('the score is stored', async () => {
    const detail = await scenario.api('GET', `/api/vulnerabilities/${id}`);
    return detail['cwssScore'] !== null;
  });
  return id;
}

let id = '';
let current: Scenario;
const explanation = async (): Promise<Explained> =>
  (await current.api('GET', `/api/vulnerabilities/${id}/cwss`)) as unknown as Explained;

export const cwssExplanation: readonly PageCase[] = [
  {
    where: 'a vulnerability without a CWSS score',
    async open(page, scenario) {
      id = await scenario.idOf('vulnerabilities', flaws.low);
      await load(page, scenario, `/dashboard/vulnerabilities/${id}`);
    },
    cases: [
      {
        spec: '12, what CWSS is before the first calculation',
        check: (page) => card(page, 'CWSS').getByText(/^CWSS scores a weakness from 0 to 100/u),
      },
      {
        spec: '12, the action opens the dialog that chooses a vignette',
        async check(page) {
          await card(page, 'CWSS').getByRole('button', { name: 'Calculate CWSS' }).click();
          await page
            .getByRole('dialog', { name: 'Calculate CWSS' })
            .getByText('Online banking')
            .first()
            .waitFor();
          await page.keyboard.press('Escape');
        },
      },
    ],
  },
  {
    where: 'the CWSS part of a vulnerability’s page',
    async open(page, scenario) {
      current = scenario;
      id = await scoreWith(scenario, flaws.v40, 'Online banking');
      await load(page, scenario, `/dashboard/vulnerabilities/${id}`);
      await score(page).waitFor();
    },
    cases: [
      {
        spec: '12, the score is shown of 100',
        async check(page) {
          const { score: stored } = await explanation();
          expect(await score(page).textContent()).toBe(`${stored.toFixed(1)}/100`);
        },
      },
      {
        spec: '2, the sections of a long page are listed beside it, with the one that is read marked',
        async check(page) {
          const links = page.getByRole('navigation', { name: 'On this page' });
          await links.getByRole('button', { name: 'Factors' }).click();
          const heading = page.getByRole('heading', { name: 'Factors', exact: true });
          await expect.poll(() => heading.evaluate((it) => it === document.activeElement)).toBe(true);
          await expect
            .poll(() => card(page, 'Factors').evaluate((it) => Math.round(it.getBoundingClientRect().top)))
            .toBe(72);
          await expect.poll(() => links.locator('[aria-current]').allTextContents()).toEqual(['Factors']);
        },
      },
      {
        spec: '12, the score names its vignette',
        check: (page) => card(page, 'CWSS').getByText('Online banking'),
      },
      ...['Base Finding', 'Attack Surface', 'Environmental'].map((part) => ({
        spec: `12, sub-score ${part}`,
        check: (page: Page) => card(page, 'CWSS').locator('dt', { hasText: part }),
      })),
      {
        spec: '12, the vector opens in the calculator',
        async check(page) {
          await card(page, 'CWSS').getByRole('link', { name: 'Open in calculator' }).click();
          await page.waitForURL(/\/dashboard\/cwss\?vector=/u);
          const { score: stored } = await explanation();
          await page.getByRole('status', { name: 'CWSS score' }).getByText(stored.toFixed(1)).waitFor();
          await page.goBack();
          await score(page).waitFor();
        },
      },
      {
        spec: '12, each of the 16 factors can be set',
        async check(page) {
          const table = page.getByRole('table', { name: 'CWSS factors' });
          expect(await table.getByRole('button', { name: /^Set / }).count()).toBe(16);
        },
      },
      {
        spec: '12, each factor with its source and reason',
        check: (page) => factorRow(page, 'Required Privilege').getByText('CVSS states PR:N.').first(),
      },
      {
        spec: '12, the weakness that decides the technical impact',
        check: (page) =>
          card(page, 'Technical impact')
            .getByRole('listitem')
            .filter({ hasText: 'CWE-312' })
            .getByText('Decides'),
      },
      {
        spec: '12, completeness: factors that are default or unknown',
        check: (page) =>
          card(page, 'CWSS').getByText(/^\d+ of 16 factors have a value(?:, \d+ of them assumed)?\.$/u),
      },
      {
        spec: '12, what would change it most: one click sets the value, and the live score is exact',
        async check(page) {
          const { factors } = await explanation();
          const lowest = factors.find(({ code }) => code === 'EC')?.lowest.score ?? -1;
          const best = page.getByRole('button', {
            name: /If External Control Effectiveness were Complete: /,
          });
          await best.click();
          await editor(page).getByText(`/100, −`).waitFor();
          await editor(page).getByRole('status').getByText(lowest.toFixed(1), { exact: true }).waitFor();
          await editor(page).getByRole('button', { name: 'Save' }).click();
          await editor(page).getByText('Enter a reason.').waitFor();
          await editor(page)
            .getByRole('textbox', { name: /^Reason for/ })
            .fill('Only inside the harbour network.');
          await editor(page).getByRole('button', { name: 'Save' }).click();
          await toast(page, 'Factors saved').waitFor();
          await score(page).getByText(lowest.toFixed(1)).waitFor();
          await dismissToasts(page);
        },
      },
      {
        spec: '12, an analyst’s value shows its reason and the suggestion',
        async check(page) {
          const row = factorRow(page, 'External Control Effectiveness');
          await row.getByText('Only inside the harbour network.').waitFor();
          await row.getByText(/^Suggested: None \(1\.0\)/u).waitFor();
        },
      },
      {
        spec: '12, history: what changed',
        check: (page) =>
          card(page, 'Score history').getByText('External Control Effectiveness: None → Complete'),
      },
      {
        spec: '12, two vignettes side by side',
        async check(page) {
          const compare = card(page, 'Compare with another vignette');
          await compare.getByRole('combobox', { name: 'Vignette' }).click();
          await page.getByRole('option', { name: 'SCADA' }).click();
          const table = compare.getByRole('table', { name: 'Two vignettes side by side' });
          await table.getByRole('rowheader', { name: 'Winning impact' }).waitFor();
          await compare.getByText(/not comparable/u).waitFor();
        },
      },
      {
        spec: '12, an earlier version opens read-only',
        async check(page) {
          await card(page, 'Score history').getByRole('link', { name: 'Version 1' }).click();
          await card(page, 'CWSS')
            .getByText(/^Version 1 of 2, as it was calculated then/u)
            .waitFor();
          expect(new URL(page.url()).searchParams.get('version')).toBe('1');
          expect(await page.getByRole('button', { name: 'Set Business Impact' }).isDisabled()).toBe(true);
          await page.getByRole('link', { name: 'Show the newest score' }).click();
          await card(page, 'CWSS').getByRole('button', { name: 'Set factors' }).waitFor();
        },
      },
      {
        spec: '12, a score is out of date at once, with the reason and without a reload',
        async check(page) {
          await current.api('PUT', `/api/vulnerabilities/${id}`, { cwe: ['CWE-312', 'CWE-79'] });
          await card(page, 'CWSS').getByText('The CWE ids changed.').waitFor();
        },
      },
      {
        spec: '12, Recalculate uses the same vignette',
        async check(page) {
          await card(page, 'CWSS').getByRole('button', { name: 'Recalculate' }).click();
          await toast(page, 'Calculation applied').waitFor();
          await card(page, 'CWSS').getByText('This score is stale.').waitFor({ state: 'detached' });
          expect((await explanation()).stale).toBe(false);
          await dismissToasts(page);
        },
      },
    ],
  },
];

/** What a viewer may not do on the same page. */
export const cwssExplanationViewer: readonly PageCase[] = [
  {
    where: 'the CWSS part of a vulnerability’s page as a viewer',
    async open(page, scenario) {
      await load(
        page,
        scenario,
        `/dashboard/vulnerabilities/${await scenario.idOf('vulnerabilities', flaws.v40)}`,
      );
      await score(page).waitFor();
    },
    cases: [
      {
        spec: 'contract, Roles: a viewer reads every factor and sets none',
        async check(page) {
          expect(await page.getByRole('button', { name: 'Set factors' }).isDisabled()).toBe(true);
          expect(await page.getByRole('button', { name: 'Set Business Impact' }).isDisabled()).toBe(true);
        },
      },
    ],
  },
];
