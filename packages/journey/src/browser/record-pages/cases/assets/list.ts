import { expect } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { columnsOf, dismissToasts, rowOf, rowsOf, toast } from '../../locators.ts';
import { abortCalls, goTo, load, type PageCase } from '../../page-cases.ts';

const crane = 'Crane controller';
const kiosk = 'Gate kiosk';
const project = 'Harbour renewal';

const card = (page: Page, label: string, value: number) =>
  page.getByRole('link', { name: new RegExp(`^${label}\\s*${value}(?!\\d)`, 'u') });
const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
const cellOf = (page: Page, name: string, text: string): Locator =>
  rowOf(page, name).getByRole('cell', { name: text, exact: true });

/** The list of assets. The suite has the same assets afterwards. */
export const assetList: readonly PageCase[] = [
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
      await load(page, scenario, '/dashboard/assets');
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
