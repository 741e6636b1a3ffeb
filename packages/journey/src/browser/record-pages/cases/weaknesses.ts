import { expect } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { flaws } from '../harbour-reports.ts';
import { rowOf } from '../locators.ts';
import { abortCalls, goTo, load, type PageCase } from '../page-cases.ts';

const panel = (page: Page, name: string): Locator => page.getByRole('dialog', { name, exact: true });
const requested: string[] = [];
const calls = /\/api\/cwe\//u;

function recordRequests(page: Page): void {
  page.on('request', (request) => {
    if (calls.test(request.url())) requested.push(new URL(request.url()).pathname.slice('/api/cwe/'.length));
  });
}

export const weaknesses: readonly PageCase[] = [
  {
    where: 'the CWE panel',
    async open(page, scenario) {
      recordRequests(page);
      await goTo(page, scenario, '/dashboard/reports/vulnerabilities?sort=-cvssScore');
      await page.getByRole('button', { name: `CWE-787 of ${flaws.v2}` }).click();
    },
    cases: [
      { spec: '2, Clicking a CWE opens a floating details panel', check: (page) => panel(page, 'CWE-787') },
      {
        spec: '2, up to 520px wide',
        check: async (page) =>
          expect((await panel(page, 'CWE-787').boundingBox())?.width).toBeLessThanOrEqual(520),
      },
      {
        spec: '3, CWE record: Name',
        check: (page) => panel(page, 'CWE-787').getByText('Out-of-bounds Write', { exact: true }),
      },
      ...['ID', 'Abstraction', 'Structure', 'Status', 'Description', 'Likelihood'].map((field) => ({
        spec: `3, CWE record: ${field}`,
        check: (page: Page) => panel(page, 'CWE-787').getByText(field, { exact: true }),
      })),
      { spec: '3, CWE record: url', check: (page) => panel(page, 'CWE-787').locator('a[href$="/787.html"]') },
      {
        spec: '7, tried first with the value as given',
        check: async () => expect(requested).toEqual(['CWE-787']),
      },
      {
        spec: '7, Results are cached per lookup',
        async check(page) {
          await page.keyboard.press('Escape');
          await panel(page, 'CWE-787').waitFor({ state: 'detached' });
          await rowOf(page, flaws.v2)
            .getByRole('button', { name: /^CWE-787/u })
            .and(page.locator(':focus'))
            .waitFor();
          await page.keyboard.press('Enter');
          await panel(page, 'CWE-787').getByText('Out-of-bounds Write', { exact: true }).waitFor();
          expect(requested).toEqual(['CWE-787']);
        },
      },
    ],
  },
  {
    where: 'the CWE panel of an unknown id',
    failures: [{ status: 404, url: /^\/api\/cwe\/(?:cwe-|CWE-)?99999$/u }],
    async open(page, scenario) {
      requested.length = 0;
      await goTo(page, scenario, '/dashboard/reports/vulnerabilities?weakness=cwe-99999');
    },
    cases: [
      {
        spec: "8, CWE lookup: 'No details found for {id}'",
        check: (page) => panel(page, 'cwe-99999').getByText('No details found for cwe-99999'),
      },
      {
        spec: "7, then the digits only, then 'CWE-' plus the digits",
        check: async () => expect(requested).toEqual(['cwe-99999', '99999', 'CWE-99999']),
      },
    ],
  },
  {
    where: 'the CWE panel without a response',
    failures: [{ status: 'none', url: /^\/api\/cwe\/79$/u }],
    async open(page, scenario) {
      await abortCalls(page, calls);
      await load(page, scenario, '/dashboard/reports/vulnerabilities?weakness=79');
    },
    cases: [
      {
        spec: "8, CWE lookup: the thrown message shown as 'Error: ...'",
        check: (page) => panel(page, 'CWE-79').getByText(/^Error: \S/u),
      },
      {
        spec: 'UX, error with Retry',
        async check(page) {
          await page.unroute(calls);
          await panel(page, 'CWE-79').getByRole('button', { name: 'Retry' }).click();
          await panel(page, 'CWE-79')
            .getByText(/Cross-site Scripting/u)
            .first()
            .waitFor();
        },
      },
    ],
  },
  {
    where: '/dashboard/weaknesses/{id}',
    async open(page, scenario) {
      await goTo(page, scenario, '/dashboard/reports/vulnerabilities?weakness=CWE-787');
      await panel(page, 'CWE-787')
        .getByRole('link', { name: /Open page/u })
        .click();
      await page.getByRole('heading', { level: 1, name: /CWE-787 Out-of-bounds Write/u }).waitFor();
    },
    cases: [
      {
        spec: '12, a page per weakness, with the technical impact of each consequence',
        check: (page) =>
          page
            .getByRole('table', { name: 'Scopes and impacts' })
            .getByRole('row')
            .filter({ hasText: 'Modify Memory' })
            .getByText('Modify data'),
      },
      ...['Potential mitigations', 'Parents', 'Children', 'Facts'].map((title) => ({
        spec: `12, a page per weakness: ${title}`,
        check: (page: Page) => page.getByRole('heading', { level: 2, name: title }),
      })),
      {
        spec: "12, which of the organization's vulnerabilities carry it",
        check: (page) => page.getByRole('link', { name: flaws.v2 }),
      },
      {
        spec: "12, MITRE's notice kept",
        check: (page) => page.getByText(/© The MITRE Corporation/u),
      },
    ],
  },
  {
    where: '/dashboard/weaknesses',
    open: (page, scenario) => goTo(page, scenario, '/dashboard/weaknesses'),
    cases: [
      {
        spec: '12, Weakness catalogue: version shown',
        check: (page) => page.getByText(/^CWE \d+\.\d+/u),
      },
      {
        spec: '12, Weakness catalogue: search and the weaknesses that vulnerabilities carry',
        async check(page) {
          await page.getByRole('searchbox').fill('787');
          await rowOf(page, 'Out-of-bounds Write').waitFor();
          await page.getByRole('checkbox', { name: 'Only in your vulnerabilities' }).click();
          await rowOf(page, 'Out-of-bounds Write').waitFor();
          await expect.poll(() => page.url()).toContain('vulnerabilities');
        },
      },
      {
        spec: '12, Weakness catalogue: refreshable and uploadable by owners',
        async check(page) {
          await page.getByRole('button', { name: 'Refresh from MITRE' }).waitFor();
          await page.getByRole('button', { name: 'Upload catalogue' }).waitFor();
        },
      },
    ],
  },
];
