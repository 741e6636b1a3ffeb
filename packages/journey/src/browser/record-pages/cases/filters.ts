import { expect } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { berths, flaws } from '../harbour-reports.ts';
import { pageButtons, rowOf, rowsOf } from '../locators.ts';
import { goTo, type PageCase } from '../page-cases.ts';

const list = berths + 6;
const pageBox = (page: Page): Locator => page.getByRole('textbox', { name: 'Page', exact: true });
const filter = (page: Page, name: string): Locator => page.getByRole('dialog', { name: `Filter ${name}` });
const counted = (page: Page, count: number): Locator =>
  page.getByText(new RegExp(`^${count} of ${list} vulnerabilities$`, 'u'));

async function openFilter(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^Filter ${name}`, 'u') }).click();
}

/** Filters and pages of a list; each case continues where the previous one ended. */
export const filters: readonly PageCase[] = [
  {
    where: '/dashboard/reports/vulnerabilities, its pages',
    open: (page, scenario) => goTo(page, scenario, '/dashboard/reports/vulnerabilities'),
    cases: [
      {
        spec: '5, Page number box: digits only',
        async check(page) {
          await pageBox(page).fill('');
          await pageBox(page).pressSequentially('-1e2x');
          expect(await pageBox(page).inputValue()).toBe('12');
        },
      },
      {
        spec: '2, rows-per-page: the numbers around the current page',
        async check(page) {
          await pageBox(page).press('Enter');
          await page.getByText(`111–120 of ${list}`, { exact: true }).waitFor();
          await expect.poll(() => pageButtons(page)).toEqual([10, 11, 12, 13, 14]);
        },
      },
      {
        spec: '5, Page number box: clamped to the page count',
        async check(page) {
          await pageBox(page).fill('9999');
          await pageBox(page).press('Enter');
          await page.getByText(`601–${list} of ${list}`, { exact: true }).waitFor();
          await expect.poll(() => pageBox(page).inputValue()).toBe('61');
        },
      },
      {
        spec: '5, Page number box: clamped to 1',
        async check(page) {
          await pageBox(page).fill('0');
          await pageBox(page).press('Enter');
          await page.getByText(`1–10 of ${list}`, { exact: true }).waitFor();
        },
      },
      {
        spec: '5, Lists: page resets to 1 on a search change',
        async check(page) {
          await page.getByRole('button', { name: 'Page 3' }).click();
          await page.getByText(`21–30 of ${list}`, { exact: true }).waitFor();
          await page.getByRole('searchbox', { name: 'Search vulnerabilities' }).fill('berth');
          await page.getByText(`1–10 of ${berths}`, { exact: true }).waitFor();
          expect(page.url()).not.toContain('page=');
        },
      },
      {
        spec: 'UX, URL is the state: Back restores',
        async check(page) {
          await page.goBack();
          await page.getByText(`21–30 of ${list}`, { exact: true }).waitFor();
          expect(await page.getByRole('searchbox', { name: 'Search vulnerabilities' }).inputValue()).toBe('');
        },
      },
      {
        spec: '5, Lists: page resets to 1 on a change of the page size',
        async check(page) {
          await page.getByLabel('Rows per page').selectOption('50');
          await page.getByText(`1–50 of ${list}`, { exact: true }).waitFor();
          await expect.poll(() => rowsOf(page).count()).toBe(50);
        },
      },
    ],
  },
  {
    where: '/dashboard/reports/vulnerabilities, its filters',
    open: (page, scenario) => goTo(page, scenario, '/dashboard/reports/vulnerabilities?page=2'),
    cases: [
      {
        spec: "5, Multi-select filters treat an empty value as 'N/A'",
        async check(page) {
          await openFilter(page, 'CWE');
          await filter(page, 'CWE')
            .or(page.getByRole('dialog'))
            .getByRole('checkbox', { name: 'N/A' })
            .click();
          // The gate firmware and the berths have no CWE.
          await counted(page, berths + 1).waitFor();
        },
      },
      {
        spec: '5, Lists: page resets to 1 on any filter change',
        check: (page) => page.getByText(`1–10 of ${berths + 1}`, { exact: true }),
      },
      {
        spec: '2, multi-value filters: values add up',
        async check(page) {
          const values = page.getByRole('list', { name: 'Values of CWE' });
          await values.getByRole('checkbox', { name: 'CWE-787' }).click();
          await counted(page, berths + 2).waitFor();
          await values.getByRole('checkbox', { name: 'N/A' }).click();
          await counted(page, 1).waitFor();
          await page.keyboard.press('Escape');
        },
      },
      {
        spec: 'UX, visible filters: a chip with × removes it',
        async check(page) {
          await page.getByRole('button', { name: 'Remove filter CWE: CWE-787' }).click();
          await page.getByText(`1–10 of ${list}`, { exact: true }).waitFor();
        },
      },
      {
        spec: '5, Range filters (min/max) apply to numbers',
        async check(page) {
          await openFilter(page, 'CVSS');
          await page.getByLabel('Min', { exact: true }).fill('5');
          await page.getByLabel('Max', { exact: true }).fill('9.3');
          await counted(page, 3).waitFor();
          await rowOf(page, flaws.v40).waitFor();
          await rowOf(page, flaws.v2).waitFor();
        },
      },
      {
        spec: '5, Rows without a value are kept only if N/A is selected',
        async check(page) {
          expect(await rowOf(page, flaws.none).count()).toBe(0);
          await page.getByRole('dialog').getByRole('checkbox', { name: 'N/A' }).click();
          await counted(page, 3 + berths + 1).waitFor();
          await page.keyboard.press('Escape');
        },
      },
      {
        spec: 'UX, Clear all',
        async check(page) {
          await page.getByRole('button', { name: 'Clear all' }).click();
          await page.getByText(`1–10 of ${list}`, { exact: true }).waitFor();
        },
      },
      {
        spec: '5, Range filters apply to dates',
        async check(page) {
          await openFilter(page, 'Created At');
          await page.getByRole('dialog').getByLabel('Until').fill('2020-01-01');
          await page.getByText('No vulnerabilities found', { exact: true }).waitFor();
          // The filter and its column header stay open when the list is empty.
          await page.getByText('Nothing matches Created At: until Jan 1, 2020.', { exact: true }).waitFor();
          await page.getByRole('columnheader', { name: /Created At/u }).waitFor();
          await page.getByRole('dialog').getByLabel('Until').fill('2999-12-31');
          await counted(page, list).waitFor();
          await page.keyboard.press('Escape');
        },
      },
      {
        spec: 'UX, invalid values ignored without error',
        async check(page) {
          await page.goto(
            page.url().replace(/\?.*/u, '?page=x&pageSize=7&sort=nothing&cvssScoreMin=high&cwe='),
          );
          await page.getByText(`1–10 of ${list}`, { exact: true }).waitFor();
        },
      },
    ],
  },
];
