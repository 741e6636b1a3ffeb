import { expect } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { cves, flaws, harbour, pilots } from '../harbour-reports.ts';
import { seedNames } from '../seed-records.ts';
import { fact, toast } from '../locators.ts';
import { abortCalls, goTo, load, type PageCase } from '../page-cases.ts';

const unknownId = '018f0000-0000-7000-8000-000000000000';
/** Calls for one record. */
const oneVulnerability = /\/api\/vulnerabilities\/[0-9a-f-]{36}$/u;
const region = (page: Page, name: string): Locator => page.getByRole('region', { name });

const showEmptyFacts = (page: Page): Promise<void> =>
  region(page, 'Facts')
    .getByRole('button', { name: /empty fields?, show$/u })
    .click();

export const details: readonly PageCase[] = [
  {
    where: '/dashboard/vulnerabilities/{id}, created by a user',
    open: (page, scenario) =>
      goTo(page, scenario, `/dashboard/vulnerabilities/${scenario.seed.vulnerabilities.nine}`),
    cases: [
      {
        spec: '2, Vulnerability detail: its name',
        check: (page) => page.getByRole('heading', { name: seedNames.nine, level: 1 }),
      },
      {
        spec: '2, Vulnerability detail: severity',
        check: (page) => fact(page, 'Severity').getByText('9.0 Critical'),
      },
      { spec: '2, Vulnerability detail: status', check: (page) => fact(page, 'Status').getByText('Open') },
      {
        spec: '2, Vulnerability detail: CVE',
        async check(page) {
          await showEmptyFacts(page);
          await fact(page, 'CVE').getByText('N/A').waitFor();
        },
      },
      {
        spec: '2, Vulnerability detail: vector',
        check: (page) => page.getByText('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N'),
      },
      {
        spec: 'issue, CVSS: explained metric by metric',
        check: (page) => region(page, 'Base metrics').getByText('Attack Vector'),
      },
      {
        spec: '2, Vulnerability detail: category',
        check: (page) => fact(page, 'Category').getByText('Authorization'),
      },
      {
        spec: '2, Vulnerability detail: exploitability',
        check: (page) => fact(page, 'Exploitability').getByText('8 / 10'),
      },
      {
        spec: '2, Vulnerability detail: impact',
        check: (page) => fact(page, 'Impact').getByText('7.5 / 10'),
      },
      { spec: '2, Vulnerability detail: solution', check: (page) => page.getByText('Ask for a badge.') },
      {
        spec: '2, Vulnerability detail: mitigation',
        check: (page) => page.getByText('Keep a guard at the gate.'),
      },
      { spec: '9, Age is in days from discovery', check: (page) => fact(page, 'Age').getByText('45 days') },
      {
        spec: '9, Priority: Critical if severity 9 or more',
        check: (page) => fact(page, 'Priority').getByText('Critical'),
      },
      {
        spec: '9, Risk score is cvssScore, else severity',
        check: (page) => fact(page, 'Risk score').getByText('9.1 Critical'),
      },
      { spec: '3, relatedAssets by name', check: (page) => page.getByText('Gate kiosk at the east quay.') },
      {
        spec: '9, Severity colour bands on detail: at least 9 red',
        async check(page) {
          const color = await fact(page, 'Severity')
            .getByText('9.0 Critical')
            .evaluate((badge) => getComputedStyle(badge).color);
          expect(color).toBe('rgb(165, 18, 63)');
        },
      },
    ],
  },
  ...(
    [
      ['seven', '7 or more and older than 30 days', 'Critical'],
      ['four', '4 or more and older than 60 days', 'High'],
      ['below', 'otherwise Low', 'Low'],
    ] as const
  ).map(([which, spec, word]): PageCase => ({
    where: `/dashboard/vulnerabilities/{id}, severity ${which}`,
    open: (page, scenario) =>
      goTo(page, scenario, `/dashboard/vulnerabilities/${scenario.seed.vulnerabilities[which]}`),
    cases: [{ spec: `9, Priority: ${spec}`, check: (page) => fact(page, 'Priority').getByText(word) }],
  })),
  {
    where: '/dashboard/vulnerabilities/{id} without any related asset',
    open: async (page, scenario) =>
      goTo(
        page,
        scenario,
        `/dashboard/vulnerabilities/${await scenario.idOf('vulnerabilities', flaws.none)}`,
      ),
    cases: [
      { spec: 'UX, empty states: the graph', check: (page) => page.getByText('No related assets yet.') },
      {
        spec: 'contract, Severity: never invented',
        async check(page) {
          await showEmptyFacts(page);
          await fact(page, 'Severity').getByText('N/A').waitFor();
        },
      },
    ],
  },
  {
    where: '/dashboard/vulnerabilities/{id} of an unknown record',
    failures: [{ status: 404, url: /^\/api\/vulnerabilities\/018f0000-0000-7000-8000-000000000000$/u }],
    open: (page, scenario) => page.goto(`${scenario.origin}/dashboard/vulnerabilities/${unknownId}`),
    cases: [
      {
        spec: "8, Inline messages: 'Error Loading Vulnerability'",
        check: (page) => page.getByText('Error Loading Vulnerability'),
      },
      {
        spec: 'UX, states: next action, where a retry cannot help',
        async check(page) {
          await page.getByRole('link', { name: 'All vulnerabilities' }).waitFor();
          expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0);
        },
      },
    ],
  },
  {
    where: '/dashboard/vulnerabilities/{id} without a response',
    failures: [{ status: 'none', url: /^\/api\/vulnerabilities\/[0-9a-f-]{36}$/u }],
    async open(page, scenario) {
      await abortCalls(page, oneVulnerability);
      await load(page, scenario, `/dashboard/vulnerabilities/${scenario.seed.vulnerabilities.seven}`);
    },
    cases: [
      {
        spec: 'UX, error with Retry',
        async check(page) {
          await page.getByText('Error Loading Vulnerability').waitFor();
          await page.unroute(oneVulnerability);
          await page.getByRole('button', { name: 'Retry' }).click();
          await fact(page, 'Priority').waitFor();
        },
      },
    ],
  },
  {
    where: '/dashboard/threats/{id}',
    open: (page, scenario) => goTo(page, scenario, `/dashboard/threats/${scenario.seed.threats.above}`),
    cases: [
      {
        spec: '2, Threat detail: badge for the type',
        check: (page) => page.locator('header').getByText('Insider Threat'),
      },
      {
        spec: '2, Threat detail: badge for the risk level',
        check: (page) => page.locator('header').getByText('80 High'),
      },
      {
        spec: '4, Threat isActive: Active',
        check: (page) => page.locator('header').getByText('Active', { exact: true }),
      },
      { spec: '3, motivation', check: (page) => fact(page, 'Motivation').getByText('High') },
      { spec: '3, capability', check: (page) => fact(page, 'Capability').getByText('Medium') },
      { spec: '3, likelihood', check: (page) => fact(page, 'Likelihood').getByText('High') },
      { spec: '3, impact', check: (page) => fact(page, 'Impact').getByText('Very High') },
      {
        spec: '3, mitigationStrategy displayed as Compensating Controls',
        check: (page) => page.getByText('Compensating Controls'),
      },
      {
        spec: '3, mitigationStrategy, its text',
        check: (page) => page.getByText('Two keys for every gate.'),
      },
      {
        spec: '3, reference displayed as a link if it starts with http',
        check: (page) =>
          fact(page, 'Reference').getByRole('link', { name: /harbour\.example\.org\/rivals/u }),
      },
      { spec: '9, Threat riskScore', check: (page) => fact(page, 'Risk score').getByText('8.0 / 10') },
      {
        spec: '2, 600px graph of the threat linked to its related assets',
        check: (page) => page.getByRole('application', { name: /: \d+ records, \d+ relations/u }),
      },
    ],
  },
  {
    where: '/dashboard/threats/{id}, inactive',
    open: (page, scenario) => goTo(page, scenario, `/dashboard/threats/${scenario.seed.threats.thirty}`),
    cases: [
      { spec: '4, Threat isActive: Inactive', check: (page) => page.locator('header').getByText('Inactive') },
    ],
  },
  {
    where: '/dashboard/threats/{id} of an unknown record',
    failures: [{ status: 404, url: /^\/api\/threats\/018f0000-0000-7000-8000-000000000000$/u }],
    open: (page, scenario) => page.goto(`${scenario.origin}/dashboard/threats/${unknownId}`),
    cases: [
      {
        spec: "2, Threat detail: error 'Error Loading Threat'",
        check: (page) => page.getByText('Error Loading Threat'),
      },
    ],
  },
  {
    where: '/dashboard/vulnerabilities/{id} of two reports, edited by a user',
    async open(page, scenario) {
      const id = await scenario.idOf('vulnerabilities', flaws.v31);
      await scenario.api('PUT', `/api/vulnerabilities/${id}`, {
        description: 'As Ada sees it.',
        severity: 6,
      });
      await goTo(page, scenario, `/dashboard/vulnerabilities/${id}`);
    },
    cases: [
      {
        spec: 'issue, Imported next to own: its sources',
        check: (page) => region(page, 'Sources').getByText(harbour.name),
      },
      {
        spec: 'issue, Imported next to own: every one',
        check: (page) => region(page, 'Sources').getByText(pilots.name),
      },
      {
        spec: 'issue, file and location in it',
        check: (page) => region(page, 'Sources').getByText('Location in the file'),
      },
      { spec: '3, cveId', check: (page) => fact(page, 'CVE').getByRole('link', { name: cves.v31 }) },
      {
        spec: 'issue, which fields a person changed',
        check: (page) => page.getByRole('link', { name: 'Edited: Severity' }),
      },
      {
        spec: 'issue, can be reverted to the values of the reports',
        async check(page) {
          await page.getByRole('button', { name: 'Revert Severity' }).click();
          await toast(page, 'Reverted', 'Reset to the values of the reports: Severity.').waitFor();
          await fact(page, 'Severity').getByText('9.8 Critical').waitFor();
          await page.getByText('As Ada sees it.').first().waitFor();
        },
      },
      {
        spec: 'issue, all of it reverted after a confirmation',
        async check(page) {
          await page.getByRole('button', { name: 'Revert all' }).click();
          await page
            .getByRole('alertdialog', { name: 'Revert all changes?' })
            .getByRole('button', { name: 'Revert' })
            .click();
          await toast(page, 'Reverted', 'Reset to the values of the reports: Description.').waitFor();
          await page.getByText('Changed manually', { exact: false }).waitFor({ state: 'detached' });
        },
      },
    ],
  },
];
