import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { flaws } from '../../harbour-reports.ts';
import { dismissToasts, rowsOf, toast } from '../../locators.ts';
import { load, type PageCase } from '../../page-cases.ts';
import type { Scenario } from '../../scenario.ts';
import { until } from '../../wait-until.ts';

const name = 'Harbour operations';

/** The consequences of CWE-787 include the execution of code and changed memory. */
const vignette = {
  name: 'harbour-operations.json',
  mimeType: 'application/json',
  buffer: Buffer.from(
    JSON.stringify({
      name,
      scorecard: [
        { impact: 'Modify data', layer: 'System', subscore: 4, notes: 'Wrong positions of ships.' },
        { impact: 'Execute unauthorized code or commands', layer: 'System', subscore: 6, notes: '' },
      ],
    }),
  ),
};

const score = (page: Page): Locator => page.getByRole('status', { name: 'CWSS score' });
const card = (page: Page, title: string): Locator => page.getByRole('region', { name: title, exact: true });

/** Chooses the vignette in the open dialog 'Calculate CWSS'. */
async function confirmVignette(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Calculate CWSS' });
  await dialog.getByRole('radio', { name: new RegExp(`^${name}`, 'u') }).click();
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.waitFor({ state: 'detached' });
}

let current: Scenario;
let id = '';
let vignetteId = '';
let before = 0;
const explanation = () => current.api('GET', `/api/vulnerabilities/${id}/cwss`);

/** The journey of issue 12, in the browser: each case continues where the one before it ended. */
export const cwssJourney: readonly PageCase[] = [
  {
    where: 'the journey of a vignette',
    async open(page, scenario) {
      current = scenario;
      id = await scenario.idOf('vulnerabilities', flaws.v2);
      await load(page, scenario, '/dashboard');
    },
    cases: [
      {
        spec: '12, journey: upload a vignette',
        async check(page) {
          await page.getByRole('button', { name: 'Data Upload' }).click();
          await page.getByRole('menuitem', { name: 'Upload Vignette' }).click();
          const dialog = page.getByRole('dialog', { name: 'Upload CWRAF Vignette' });
          await dialog.locator('input[type=file]').setInputFiles(vignette);
          await dialog.getByText('2 rated cells').waitFor();
          await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
          await toast(page, 'Vignette created', name).waitFor();
          await dialog.waitFor({ state: 'detached' });
          await dismissToasts(page);
          const { items } = await current.api(
            'GET',
            `/api/reports/vignette?search=${encodeURIComponent(name)}`,
          );
          vignetteId = (items as { _id: string }[])[0]?._id ?? '';
        },
      },
      {
        spec: '12, journey: score one vulnerability',
        async check(page) {
          await load(page, current, `/dashboard/vulnerabilities/${id}`);
          await page.getByRole('button', { name: 'Calculate CWSS' }).first().click();
          await confirmVignette(page);
          await toast(page, 'Calculation applied').waitFor();
          await score(page).waitFor();
          await dismissToasts(page);
        },
      },
      {
        spec: '12, journey: score all vulnerabilities in one job',
        async check(page) {
          await load(page, current, '/dashboard/vulnerabilities');
          await rowsOf(page).first().waitFor();
          await page.getByRole('checkbox', { name: 'Select all rows on this page' }).click();
          await page.getByRole('button', { name: /^Select all \d+ matching rows$/u }).click();
          await page.getByRole('button', { name: /^Calculate CWSS \(\d+\)$/u }).click();
          await confirmVignette(page);
          await toast(page, 'Calculation applied').waitFor();
          const { total } = await current.list('vulnerabilities');
          const applied = `appliedVignette=${encodeURIComponent(name)}`;
          expect((await current.list('vulnerabilities', applied)).total).toBe(total);
          await dismissToasts(page);
        },
      },
      {
        spec: '12, journey: read the explanation',
        async check(page) {
          await load(page, current, `/dashboard/vulnerabilities/${id}`);
          await card(page, 'CWSS').getByText(name, { exact: true }).waitFor();
          const impact = card(page, 'Technical impact');
          await impact.getByText(`6 of 10 in ${name}`).waitFor();
          await impact.getByRole('listitem').filter({ hasText: 'CWE-787' }).getByText('Decides').waitFor();
          before = Number((await explanation())['score']);
        },
      },
      {
        spec: '12, journey: change a cell of the scorecard',
        async check(page) {
          await load(page, current, `/dashboard/reports/vignettes/${vignetteId}/edit`);
          await page.getByRole('textbox', { name: 'Modify data, System', exact: true }).fill('10');
          await page.getByRole('button', { name: 'Save' }).click();
          await page.waitForURL(new RegExp(`/vignettes/${vignetteId}$`, 'u'));
        },
      },
      {
        spec: '12, journey: the score is out of date, with the reason',
        async check(page) {
          await load(page, current, `/dashboard/vulnerabilities/${id}`);
          await card(page, 'CWSS').getByText('The vignette has a newer version.').waitFor();
        },
      },
      {
        spec: '12, journey: the new score, its cause and its history',
        async check(page) {
          await card(page, 'CWSS').getByRole('button', { name: 'Recalculate' }).click();
          await toast(page, 'Calculation applied').waitFor();
          await card(page, 'CWSS').getByText('This score is stale.').waitFor({ state: 'detached' });
          await until('the new score is higher', async () => Number((await explanation())['score']) > before);
          await score(page)
            .getByText(Number((await explanation())['score']).toFixed(1))
            .waitFor();
          await card(page, 'Technical impact').getByText('Wrong positions of ships.').waitFor();
          await card(page, 'Score history').getByText('vignette version 1 to 2').waitFor();
          await dismissToasts(page);
        },
      },
    ],
  },
];
