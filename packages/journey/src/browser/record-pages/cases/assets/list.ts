import { expect } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { columnsOf, dismissToasts, fact, rowOf, rowsOf, toast } from '../locators.ts';
import { abortCalls, goTo, type PageCase } from '../page-cases.ts';
import { seedNames } from '../seed-records.ts';

const crane = 'Crane controller';
const kiosk = 'Gate kiosk';
const project = 'Harbour renewal';
const unknownId = '018f0000-0000-7000-8000-000000000000';

const card = (page: Page, label: string, value: number) =>
  page.getByRole('link', { name: new RegExp(`^${label}\\s*${value}(?!\\d)`, 'u') });
const region = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
const cellOf = (page: Page, name: string, text: string): Locator =>
  rowOf(page, name).getByRole('cell', { name: text, exact: true });

const lists: readonly PageCase[] = [
  {
    where: '/dashboard/assets',
    open: (page, scenario) => goTo(page, scenario, '/dashboard/assets'),
    cases: [
      {
        spec: '2, Assets table: Name, Type, Criticality, CIA, Risk Score, Health, Threats/Vulns, Created',
        check: (page) =>
          expect
            .poll(() => columnsOf(page))
            .toEqual([
              'Name',
              'Type',
              'Criticality',
              'CIA',
              'Risk Score',
              'Health',
              'Threats/Vulns',
              'Created',
            ]),
      },
      {
        spec: 'issue, the highest risk score first',
        check: (page) =>
          expect
            .poll(async () => (await rowsOf(page).allTextContents()).map((text) => text.slice(0, 4)))
            .toEqual([crane.slice(0, 4), kiosk.slice(0, 4)]),
      },
      {
        spec: '2, Asset detail: the name of a row leads to it',
        check: (page) => rowOf(page, crane).locator('a[href^="/dashboard/assets/"]').getByText(crane),
      },
      { spec: '3, Asset types: 1 Hardware', check: (page) => cellOf(page, crane, 'Hardware') },
      { spec: '3, Criticality: 5 Very High', check: (page) => cellOf(page, crane, 'Very High') },
      { spec: '3, Criticality: 2 Low', check: (page) => cellOf(page, kiosk, 'Low') },
      {
        spec: '2, CIA: 3 Confidential, 4 Critical, not set',
        check: (page) =>
          cellOf(
            page,
            crane,
            'Confidentiality: 3 of 5, Confidential; Integrity: 4 of 4, Critical; Availability: not set',
          ),
      },
      {
        spec: '9, Assets: (3+4+0+0.5×1+0.7×2+2×5)/3, below 7 Medium Risk',
        check: (page) => rowOf(page, crane).getByText('6.3 Medium Risk'),
      },
      {
        spec: '9, Assets: (0.7×1+2×2)/3, below 3 Low Risk',
        check: (page) => rowOf(page, kiosk).getByText('1.6 Low Risk'),
      },
      {
        spec: '4, Asset health: otherwise Warning',
        check: (page) => rowOf(page, crane).getByText('Warning'),
      },
      { spec: '2, Threats/Vulns', check: (page) => rowOf(page, crane).getByText('1 / 2', { exact: true }) },
      { spec: '2, asset metrics: Total', check: (page) => card(page, 'Total', 2) },
      { spec: 'contract, at-risk: At Risk', check: (page) => card(page, 'At Risk', 0) },
      { spec: '9, criticality of 4 or more', check: (page) => card(page, 'High Criticality', 1) },
      { spec: '9, confidentiality of 4 or more', check: (page) => card(page, 'High Confidentiality', 0) },
      {
        spec: '9, integrity of 4 or more, with the assets behind it',
        async check(page) {
          await card(page, 'High Integrity', 1).click();
          await page.getByText('1 of 2 assets').waitFor();
          await rowOf(page, crane).waitFor();
          await button(page, 'Clear all').click();
        },
      },
      {
        spec: 'issue, bulk edit and delete',
        async check(page) {
          await page.getByRole('checkbox', { name: 'Select all rows on this page' }).click();
          await button(page, 'Delete Selected (2)').waitFor();
          await button(page, 'Edit Selected (2)').click();
          const dialog = page.getByRole('dialog', { name: 'Edit 2 assets' });
          for (const name of ['Type', 'Criticality', 'Confidentiality', 'Integrity', 'Availability', 'State'])
            await dialog.getByRole('combobox', { name, exact: true }).waitFor();
          await dialog.getByRole('combobox', { name: 'Project' }).click();
          await page.getByRole('option', { name: project }).click();
          await dialog.getByRole('button', { name: 'Change 2 assets' }).click();
          await toast(page, 'Assets updated', /0 assets changed\. 2 unchanged\./u).waitFor();
          await dismissToasts(page);
        },
      },
    ],
  },
  {
    where: '/dashboard/assets?status=at-risk',
    open: (page, scenario) => goTo(page, scenario, '/dashboard/assets?status=at-risk'),
    cases: [
      {
        spec: '2, Filter links: status=at-risk',
        check: (page) => page.getByRole('button', { name: 'Status: At risk', exact: true }),
      },
      {
        spec: "2, Assets table: empty 'No assets found.'",
        check: (page) => page.getByText('No assets found.', { exact: true }),
      },
    ],
  },
  {
    where: '/dashboard/assets without a response',
    failures: [
      { status: 'none', url: /^\/api\/assets\?/u },
      { status: 'none', url: /^\/api\/assets\/metrics$/u },
    ],
    async open(page, scenario) {
      await abortCalls(page, /\/api\/assets(?:\?|\/metrics)/u);
      await goTo(page, scenario, '/dashboard/assets');
    },
    cases: [
      {
        spec: "8, Inline messages: 'Failed to load assets.'",
        check: (page) => page.getByText('Failed to load assets.'),
      },
      {
        spec: "8, Inline messages: 'Failed to load metrics'",
        async check(page) {
          await page.getByText('Failed to load metrics').waitFor();
          await page.unroute(/\/api\/assets(?:\?|\/metrics)/u);
        },
      },
    ],
  },
];

const details: readonly PageCase[] = [
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
    where: '/dashboard/assets/{id} of an unknown asset',
    failures: [{ status: 404, url: new RegExp(`^/api/assets/${unknownId}$`, 'u') }],
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
      await goTo(page, scenario, `/dashboard/assets/${scenario.seed.assets.crane}`);
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

/** The list of assets and the page of one. The suite has the same assets afterwards. */
export const assetPages: readonly PageCase[] = [...lists, ...details];
