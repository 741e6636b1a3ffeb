import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { berths, flaws } from '../../harbour-reports.ts';
import { dismissToasts, rowOf, rowsOf, toast } from '../../locators.ts';
import { load, type PageCase } from '../../page-cases.ts';

const calculate = /^\/api\/reports\/vulnerability\/calculateCwss$/u;
const vignettes = /^\/api\/reports\/vignette\?/u;

/** Matches calls by their path and query, as `ExpectedFailure` does. */
const callsOf = (url: RegExp) => (address: URL) => url.test(`${address.pathname}${address.search}`);

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Calculate CWSS' });
const confirm = (page: Page) => dialog(page).getByRole('button', { name: 'Confirm' });

async function openDialog(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Calculate CWSS' }).click();
  await dialog(page).waitFor();
}

async function choose(page: Page, vignette: string): Promise<void> {
  await dialog(page).getByRole('radio', { name: vignette }).click();
  await confirm(page).click();
}

/** Lets calls through again; the browser may have cancelled one meanwhile. */
const answerAgain = (page: Page) => page.unrouteAll({ behavior: 'ignoreErrors' });

const refusal = (message: string) => ({
  status: 503,
  json: { statusCode: 503, code: 'unavailable', error: 'Service Unavailable', message, requestId: 'r' },
});

const stale = 'Berth 004 runs old software';

/** 'Calculate CWSS' of the lists of vulnerabilities (spec 2, 5 and 8), and what they show of scores. */
export const cwssLists: readonly PageCase[] = [
  {
    where: "/dashboard/reports/vulnerabilities, dialog 'Calculate CWSS'",
    failures: [
      { status: 503, url: calculate },
      { status: 503, url: vignettes },
    ],
    async open(page, scenario) {
      await load(page, scenario, '/dashboard/reports/vulnerabilities?sort=-cvssScore');
      // An earlier case may have hidden columns.
      await page.getByRole('button', { name: 'Columns', exact: true }).click();
      await page.getByRole('button', { name: 'Reset columns' }).click();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Reset columns' }).waitFor({ state: 'detached' });
    },
    cases: [
      {
        spec: "8, Vignette list failure: 'Error: ...', with Retry",
        async check(page) {
          await page.route(callsOf(vignettes), (route) => route.fulfill(refusal('The quay is closed.')));
          await openDialog(page, flaws.v31);
          await dialog(page).getByText('Error: The quay is closed.').waitFor();
          await answerAgain(page);
        },
      },
      {
        spec: "2, Calculate CWSS dialog: empty 'No vignettes available.'",
        async check(page) {
          await page.route(callsOf(vignettes), (route) =>
            route.fulfill({ json: { items: [], total: 0, page: 1, pageSize: 100, nextCursor: null } }),
          );
          await dialog(page).getByRole('button', { name: 'Retry' }).click();
          await dialog(page).getByText('No vignettes available.', { exact: true }).waitFor();
          await dialog(page).getByRole('button', { name: 'Add starter vignettes' }).waitFor();
          await answerAgain(page);
          await page.keyboard.press('Escape');
          await dialog(page).waitFor({ state: 'detached' });
        },
      },
      {
        spec: '2, row menu: Calculate CWSS, Download, Delete',
        async check(page) {
          await page.reload();
          await page.getByRole('button', { name: `Actions for ${flaws.v31}` }).click();
          await page.getByRole('menuitem', { name: 'Calculate CWSS' }).waitFor();
          expect(await page.getByRole('menuitem').allTextContents()).toEqual([
            'Calculate CWSS',
            'Download',
            'Delete',
          ]);
          await page.getByRole('menuitem', { name: 'Calculate CWSS' }).click();
        },
      },
      {
        spec: '2, Calculate CWSS dialog lists available vignettes',
        check: (page) => dialog(page).getByRole('radio', { name: 'Retail web shop' }),
      },
      {
        spec: '5, Calculate CWSS: Confirm disabled until a vignette is chosen',
        async check(page) {
          expect(await confirm(page).isDisabled()).toBe(true);
          await dialog(page).getByText('Choose a vignette first.').waitFor();
        },
      },
      {
        spec: "8, 'Calculation failed' with the message; the dialog keeps the choice",
        async check(page) {
          await page.route(callsOf(calculate), (route) => route.fulfill(refusal('The tide is out.')));
          await choose(page, 'Retail web shop');
          await toast(page, 'Calculation failed', 'The tide is out.').waitFor();
          await answerAgain(page);
          await dismissToasts(page);
          await dialog(page).getByRole('radio', { name: 'Retail web shop', checked: true }).waitFor();
        },
      },
      {
        spec: "8, 'Calculation applied' (shows the CWSS value); arrow keys choose, Enter confirms",
        async check(page) {
          await dialog(page).getByRole('radio', { name: 'Retail web shop' }).focus();
          await page.keyboard.press('ArrowDown');
          await page.keyboard.press('ArrowUp');
          await page.keyboard.press('Enter');
          await toast(page, 'Calculation applied', /is \d+\.\d of 100\./u).waitFor();
          await dialog(page).waitFor({ state: 'detached' });
          await dismissToasts(page);
        },
      },
      {
        spec: '2, columns CWSS and Applied Vignette; the score is out of 100',
        async check(page) {
          await rowOf(page, flaws.v31).getByText('/100').waitFor();
          await rowOf(page, flaws.v31).getByText('Retail web shop').waitFor();
        },
      },
      {
        spec: 'issue, the dialog shows which vignette is applied now',
        async check(page) {
          await openDialog(page, flaws.v31);
          await dialog(page).getByText('Applied now').waitFor();
          expect(await confirm(page).isDisabled()).toBe(true);
        },
      },
      {
        spec: "8, when no score comes back 'Recalculation started', and 'Calculation applied' when the job ends",
        async check(page) {
          await page.route(callsOf(calculate), async (route) => {
            const { id, vignetteId } = route.request().postDataJSON() as Record<string, string>;
            // The job of the same calculation that does not wait for the score.
            await route.fulfill({
              response: await route.fetch({
                url: `${route.request().url()}/bulk`,
                postData: { ids: [id], vignetteId },
              }),
            });
          });
          await choose(page, 'SCADA');
          await toast(page, 'Calculation applied').waitFor();
          await answerAgain(page);
          await rowOf(page, flaws.v31).getByText('SCADA').waitFor();
          await dismissToasts(page);
        },
      },
    ],
  },
  {
    where: '/dashboard/reports/vulnerabilities, Calculate CWSS of all matching rows',
    open: (page, scenario) =>
      load(page, scenario, '/dashboard/reports/vulnerabilities?search=runs+old+software&sort=name'),
    cases: [
      {
        spec: 'issue, Bulk: all matching rows with one vignette, one job',
        async check(page) {
          await page.getByRole('checkbox', { name: 'Select all rows on this page' }).click();
          await page.getByRole('button', { name: `Select all ${berths} matching rows` }).click();
          await page.getByRole('button', { name: `Calculate CWSS (${berths})` }).click();
          const reply = page.waitForResponse((one) => one.url().endsWith('/calculateCwss/bulk'));
          await choose(page, 'Medical device');
          expect((await reply).status()).toBe(202);
        },
      },
      {
        spec: 'issue, Bulk: the result has the counts',
        check: (page) =>
          toast(page, 'Calculation applied', `Scored ${berths} of ${berths} vulnerabilities`).waitFor(),
      },
      {
        spec: 'issue, live: the rows show the new scores',
        async check(page) {
          await dismissToasts(page);
          await rowsOf(page).first().getByText('Medical device').waitFor();
          await expect.poll(() => rowsOf(page).getByText('/100').count()).toBe(10);
        },
      },
      {
        spec: 'issue, the job is in the job drawer with its result',
        async check(page) {
          await page.getByRole('button', { name: /^Background jobs/u }).click();
          const drawer = page.getByRole('dialog', { name: 'Background jobs' });
          await drawer.getByText(`Scored ${berths} of ${berths} vulnerabilities`).waitFor();
          await page.keyboard.press('Escape');
          await drawer.waitFor({ state: 'detached' });
        },
      },
    ],
  },
  {
    where: '/dashboard/vulnerabilities?cwssState=stale',
    async open(page, scenario) {
      const id = await scenario.idOf('vulnerabilities', stale);
      await scenario.api('PUT', `/api/vulnerabilities/${id}`, { cwe: ['CWE-79'] });
      await load(page, scenario, '/dashboard/reports/vulnerabilities?search=Berth+004');
    },
    cases: [
      {
        spec: 'issue, Staleness: the score is marked at once, with the reason',
        check: (page) => rowOf(page, stale).getByText('The CWE ids changed.'),
      },
      {
        spec: 'issue, Staleness: one click recalculates the listed stale scores',
        async check(page) {
          await page.goto(
            new URL('/dashboard/vulnerabilities?cwssState=stale&search=Berth+004', page.url()).href,
          );
          await rowOf(page, stale).waitFor();
          await page.getByRole('button', { name: 'Recalculate 1 stale score' }).click();
          await toast(page, 'Calculation applied', 'Scored 1 of 1 vulnerability').waitFor();
          await rowOf(page, stale).waitFor({ state: 'detached' });
          await dismissToasts(page);
        },
      },
    ],
  },
  {
    where: '/dashboard/cwss',
    open: (page, scenario) => load(page, scenario, '/dashboard/cwss'),
    cases: [
      {
        spec: 'issue, Calculator: 16 factors in three groups',
        async check(page) {
          expect(await page.getByRole('combobox').count()).toBe(16);
          for (const name of ['Base Finding', 'Attack Surface', 'Environmental'])
            await page.getByRole('region', { name }).waitFor();
        },
      },
      {
        spec: 'issue, Calculator: a vector is read, and the address holds it',
        async check(page) {
          const field = page.getByRole('textbox', { name: 'Vector or link of a calculator' });
          await field.fill('TI:H/AP:A/AL:A/IC:N/FC:T/RP:L/RL:A/AV:I/AS:N/IN:T/SC:A/BI:C/DI:H/EX:H/EC:N/P:NA');
          await field.press('Enter');
          await page.getByRole('status', { name: 'CWSS score' }).getByText('92.6').waitFor();
          await page.waitForURL(/vector=/u);
          await page.reload();
          await page.getByRole('status', { name: 'CWSS score' }).getByText('92.6').waitFor();
        },
      },
      {
        spec: 'issue, Calculator: an unknown value is refused by name',
        async check(page) {
          const field = page.getByRole('textbox', { name: 'Vector or link of a calculator' });
          await field.fill((await field.inputValue()).replace('AS:N,1.0', 'AS:L'));
          await field.press('Enter');
          await page.getByText('AS (Authentication Strength) has no value "L".').waitFor();
        },
      },
      {
        spec: 'issue, Calculator: Reset',
        async check(page) {
          await page.getByRole('button', { name: 'Reset' }).click();
          await page.getByRole('status', { name: 'CWSS score' }).getByText('12.1').waitFor();
        },
      },
    ],
  },
];
