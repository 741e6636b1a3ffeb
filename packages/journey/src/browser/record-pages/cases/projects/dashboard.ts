import { expect } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { abortCalls, goTo, load, type PageCase, type SpecCase } from '../../page-cases.ts';
import { repeatUnavailableInBrowser } from '../../../../support/repeat-unavailable.ts';

const name = 'Harbour renewal';
const card = (page: Page): Locator => page.getByRole('article', { name });
const button = (page: Page, label: string): Locator => page.getByRole('button', { name: label, exact: true });

const metrics = {
  'Active Projects': 'active',
  Completed: 'completed',
  'On Hold': 'onHold',
  'Total Assets': 'assets',
  'Total Threats': 'threats',
  Vulnerabilities: 'vulnerabilities',
} as const;

const statCards = Object.entries(metrics).map(([label, count]): SpecCase => ({
  spec: `2, Project dashboard: stat card ${label}`,
  async check(page) {
    const reply = await repeatUnavailableInBrowser(() =>
      page.request.get(new URL('/api/projects/metrics', page.url()).href),
    );
    const { [count]: value } = (await reply.json()) as Record<string, number>;
    const all = page.getByRole('region', { name: 'Project metrics' });
    await all.getByRole('link', { name: new RegExp(`^${label}\\s*${value}`, 'u') }).waitFor();
  },
}));

/** The dashboard with its cards. */
export const projectDashboard: readonly PageCase[] = [
  {
    where: '/dashboard',
    open: (page, scenario) => goTo(page, scenario, '/dashboard'),
    cases: [
      {
        spec: '1, the dashboard greets the user by first name and shows the organization name',
        async check(page) {
          await page.getByRole('heading', { level: 1, name: 'Hello, Ada' }).waitFor();
          await page.getByText('Harbour Authority').first().waitFor();
        },
      },
      ...statCards,
      {
        spec: '2, Project dashboard: card with name, status badge, description, start date and counts',
        async check(page) {
          await card(page).waitFor();
          const text = await card(page).textContent();
          for (const part of [name, 'Active', 'Cranes, gates and what steers them.', 'Jan 5, 2026'])
            expect(text).toContain(part);
          await card(page).getByText('2assets').waitFor();
          await card(page).getByText('1threat').waitFor();
        },
      },
      {
        spec: '4, Project status: progress shown for active is 75',
        check: (page) =>
          card(page)
            .getByRole('progressbar', { name: `Progress of ${name}` })
            .and(page.locator('[aria-valuenow="75"]')),
      },
      {
        spec: 'issue, search above the cards',
        async check(page) {
          await page.getByRole('searchbox', { name: 'Search projects' }).fill('nothing-of-this-name');
          await page.getByText('No projects found.', { exact: true }).waitFor();
          await button(page, 'Clear filters').first().click();
          await card(page).waitFor();
        },
      },
      {
        spec: 'issue, status filter above the cards',
        async check(page) {
          await page.getByRole('combobox', { name: 'Status' }).click();
          await page.getByRole('option', { name: 'On Hold' }).click();
          await page.waitForURL('**/dashboard?status=on-hold');
          await card(page).waitFor({ state: 'detached' });
        },
      },
      {
        spec: 'issue, sorting above the cards',
        async check(page) {
          await button(page, 'Clear filters').first().click();
          await page.getByRole('combobox', { name: 'Sort by' }).click();
          await page.getByRole('option', { name: 'Most assets' }).click();
          await page.waitForURL('**/dashboard?sort=-assets');
          await card(page).waitFor();
        },
      },
      {
        spec: 'issue, reports and jobs as a strip below',
        async check(page) {
          await page.getByRole('region', { name: 'Recent reports' }).getByRole('listitem').first().waitFor();
          await page.getByRole('region', { name: 'Background jobs' }).getByText('No active jobs').waitFor();
        },
      },
      {
        spec: '2, Project dashboard: each card links to the project detail',
        async check(page) {
          // The link covers the whole card.
          await card(page).click();
          await page.getByRole('heading', { level: 1, name }).waitFor();
          expect(page.url()).toContain('/dashboard/projects/');
        },
      },
    ],
  },
  {
    where: '/dashboard/projects',
    open: (page, scenario) => goTo(page, scenario, '/dashboard/projects?status=active'),
    cases: [
      {
        spec: 'issue, the address leads to the dashboard and keeps the filters',
        check: (page) => page.waitForURL('**/dashboard?status=active'),
      },
    ],
  },
  {
    where: '/dashboard without a response for the projects',
    failures: [
      { status: 'none', url: /^\/api\/projects\?/u },
      { status: 'none', url: /^\/api\/projects\/metrics$/u },
    ],
    async open(page, scenario) {
      await abortCalls(page, /\/api\/projects(?:\?|\/metrics)/u);
      await load(page, scenario, '/dashboard');
    },
    cases: [
      {
        spec: "8, Inline messages: 'Failed to load metrics'",
        check: (page) => page.getByText('Failed to load metrics'),
      },
      {
        spec: 'UX, error with Retry',
        async check(page) {
          const alert = page.getByRole('alert').filter({ hasText: 'Failed to load projects.' });
          await alert.waitFor();
          await page.unroute(/\/api\/projects(?:\?|\/metrics)/u);
          await alert.getByRole('button', { name: 'Retry' }).click();
          await card(page).waitFor();
        },
      },
    ],
  },
];
