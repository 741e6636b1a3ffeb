import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { harbour, threatCount } from '../harbour-reports.ts';
import { seedNames } from '../seed-records.ts';
import { columnsOf, pageButtons, rowOf, rowsOf } from '../locators.ts';
import { abortCalls, goTo, load, type PageCase } from '../page-cases.ts';

const all = threatCount + 3;
const card = (page: Page, label: string, value: number) =>
  page.getByRole('link', { name: new RegExp(`^${label}\\s*${value}`, 'u') });

export const threatLists: readonly PageCase[] = [
  {
    where: '/dashboard/threats',
    open: (page, scenario) => goTo(page, scenario, '/dashboard/threats?sort=-riskLevel'),
    cases: [
      {
        spec: '2, Threats list: Name, Type, Motivation, Capability, Impact, Risk Level, Created',
        check: (page) =>
          expect
            .poll(() => columnsOf(page))
            .toEqual(['Name', 'Type', 'Motivation', 'Capability', 'Impact', 'Risk Level', 'Created']),
      },
      {
        spec: '2, Threats list: Name links to detail',
        check: (page) =>
          rowOf(page, seedNames.above).locator('a[href^="/dashboard/threats/"]').getByText(seedNames.above),
      },
      {
        spec: '3, Threat types: 4 Insider Threat',
        check: (page) => rowOf(page, seedNames.above).getByText('Insider Threat'),
      },
      {
        spec: '3, Threat types: 6 Social Engineering',
        check: (page) => rowOf(page, seedNames.sixty).getByText('Social Engineering'),
      },
      {
        spec: '3, scale 1-3: motivation 3 High',
        check: (page) => rowOf(page, seedNames.above).getByRole('cell', { name: 'High', exact: true }),
      },
      {
        spec: '3, scale 1-3: capability 2 Medium',
        check: (page) => rowOf(page, seedNames.above).getByRole('cell', { name: 'Medium', exact: true }),
      },
      {
        spec: '3, scale 1-5: impact 5 Very High',
        check: (page) => rowOf(page, seedNames.above).getByRole('cell', { name: 'Very High', exact: true }),
      },
      {
        spec: 'contract, Scales: 4 × likelihood × impact',
        check: (page) => rowOf(page, seedNames.above).getByText('80 High'),
      },
      {
        spec: '9, Threats: Medium Risk up to 60',
        check: (page) => rowOf(page, seedNames.sixty).getByText('60 Medium'),
      },
      {
        spec: '9, Threats: Low Risk up to 30',
        check: (page) => rowOf(page, seedNames.thirty).getByText('30 Low'),
      },
      { spec: '2, Threat metrics cards: Total', check: (page) => card(page, 'Total', all) },
      { spec: '2, Threat metrics cards: Active', check: (page) => card(page, 'Active', all - 1) },
      // 80 for a manual threat; 60 for another one and for CAPEC's High and Medium.
      { spec: '9, Critical is riskLevel above 70', check: (page) => card(page, 'Critical Risk', 1) },
      { spec: '9, High is above 40 and up to 70', check: (page) => card(page, 'High Risk', 2) },
    ],
  },
  {
    where: '/dashboard/threats?risk=high',
    open: (page, scenario) => goTo(page, scenario, '/dashboard/threats?risk=high'),
    cases: [
      { spec: '2, Filter links: risk=high', check: (page) => page.getByText(`1 of ${all} threats`) },
      { spec: 'contract, Risk badge: above 60 high', check: (page) => rowOf(page, seedNames.above) },
      {
        spec: 'UX, visible filters: the chip',
        check: (page) => page.getByRole('button', { name: 'Risk: High', exact: true }),
      },
    ],
  },
  {
    where: '/dashboard/threats?search=nothing-of-this-name',
    open: (page, scenario) => goTo(page, scenario, '/dashboard/threats?search=nothing-of-this-name'),
    cases: [
      {
        spec: "2, Threats list: empty 'No threats found.'",
        check: (page) => page.getByText('No threats found.', { exact: true }),
      },
    ],
  },
  {
    where: '/dashboard/threats and its data list without a response',
    failures: [
      { status: 'none', url: /^\/api\/threats\?/u },
      { status: 'none', url: /^\/api\/threats\/metrics$/u },
    ],
    async open(page, scenario) {
      await abortCalls(page, /\/api\/threats(?:\?|\/metrics)/u);
      await load(page, scenario, '/dashboard/threats');
    },
    cases: [
      {
        spec: "8, Inline messages: 'Failed to load threats.'",
        check: (page) => page.getByText('Failed to load threats.'),
      },
      {
        spec: "8, Inline messages: 'Failed to load metrics'",
        check: (page) => page.getByText('Failed to load metrics'),
      },
      {
        spec: "8, Inline messages: 'Failed to load threat data.'",
        async check(page) {
          await page.getByRole('link', { name: 'Threat data' }).click();
          await page.getByText('Failed to load threat data.').waitFor();
          await page.unroute(/\/api\/threats(?:\?|\/metrics)/u);
        },
      },
      {
        spec: 'UX, error with Retry',
        async check(page) {
          await page.getByRole('button', { name: 'Retry' }).click();
          await expect.poll(() => rowsOf(page).count()).toBe(10);
        },
      },
    ],
  },
  {
    where: '/dashboard/reports/threats',
    open: (page, scenario) => goTo(page, scenario, '/dashboard/reports/threats?sort=-threatTypeId'),
    cases: [
      {
        spec: '2, Threat data list: columns Source File, Name, Threat ID, Created At, Actions',
        check: (page) =>
          expect
            .poll(() => columnsOf(page))
            .toEqual(['Source File', 'Name', 'Threat ID', 'Created At', 'Actions']),
      },
      {
        spec: '5, Lists: rows with an empty sourceFile are hidden',
        check: (page) => page.getByText(`1–10 of ${threatCount}`, { exact: true }),
      },
      { spec: '2, the source file', check: (page) => rowsOf(page).first().getByText(harbour.name) },
      {
        spec: '3, threatID: an ATT&CK identifier',
        check: (page) => rowOf(page, 'Phishing of pilots').getByText('T1566'),
      },
      {
        spec: '2, numbered pager of at most 5 page buttons',
        check: (page) => expect.poll(() => pageButtons(page)).toEqual([1, 2, 3, 4, 5]),
      },
      {
        spec: '9, Paging: page sizes 10, 20, 30, 40, 50 (default 10)',
        async check(page) {
          const sizes = page.getByLabel('Rows per page');
          expect(await sizes.inputValue()).toBe('10');
          expect(await sizes.locator('option').allTextContents()).toEqual(['10', '20', '30', '40', '50']);
        },
      },
      {
        spec: '2, sorting',
        async check(page) {
          await page.getByRole('button', { name: 'Threat ID', exact: true }).click();
          await page.locator('th[aria-sort=ascending]', { hasText: 'Threat ID' }).waitFor();
          await rowsOf(page).first().getByText('CAPEC-148').waitFor();
        },
      },
      {
        spec: '2, search',
        async check(page) {
          await page.getByRole('searchbox', { name: 'Search threats' }).fill('gauge');
          await expect.poll(() => rowsOf(page).count()).toBe(1);
        },
      },
      {
        spec: '2, no pager when there is one page',
        check: (page) => expect.poll(() => pageButtons(page)).toEqual([]),
      },
      {
        spec: '2, row menu with Download and Delete',
        async check(page) {
          await page.getByRole('button', { name: 'Actions for Forged tide gauge' }).click();
          await page.getByRole('menuitem', { name: 'Download' }).waitFor();
          await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
          await page.keyboard.press('Escape');
        },
      },
      {
        spec: "2, Threat data list: empty 'No threat data found.'",
        async check(page) {
          await page.getByRole('searchbox', { name: 'Search threats' }).fill('nothing-of-this-name');
          await page.getByText('No threat data found.', { exact: true }).waitFor();
        },
      },
    ],
  },
];
