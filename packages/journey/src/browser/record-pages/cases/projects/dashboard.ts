import { expect } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { seedNames } from '../seed-records.ts';
import { columnsOf, fact, rowOf, toast } from '../locators.ts';
import { abortCalls, goTo, type PageCase, type SpecCase } from '../page-cases.ts';

const name = 'Harbour renewal';
const card = (page: Page, project = name): Locator => page.getByRole('article', { name: project });
const button = (page: Page, label: string): Locator => page.getByRole('button', { name: label, exact: true });
const field = (page: Page, label: string): Locator =>
  page.getByRole('form').getByLabel(label, { exact: true });
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
    const reply = await page.request.get(new URL('/api/projects/metrics', page.url()).href);
    const { [count]: value } = (await reply.json()) as Record<string, number>;
    const all = page.getByRole('region', { name: 'Project metrics' });
    await all.getByRole('link', { name: new RegExp(`^${label}\\s*${value}`, 'u') }).waitFor();
  },
}));

/** Name of the link of a line such as 'Warning: 2'. */
const lineName = (line: string): RegExp => new RegExp(`^${line.replace(': ', '\\s*')}$`, 'u');

const riskLine = (group: string, line: string, list: string): SpecCase => ({
  spec: `2, Project detail: Risk Overview, ${group}: ${line}`,
  async check(page) {
    const link = page.getByRole('region', { name: group }).getByRole('link', { name: lineName(line) });
    expect(await link.getAttribute('href')).toContain(list);
  },
});

export const projects: readonly PageCase[] = [
  {
    where: '/dashboard',
    open: (page, scenario) => goTo(page, scenario, '/dashboard'),
    cases: [
      {
        spec: '1, the dashboard greets the user by first name and shows the organisation name',
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
      await goTo(page, scenario, '/dashboard');
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
  {
    where: '/dashboard/projects/{id}',
    open: (page, scenario) => goTo(page, scenario, `/dashboard/projects/${scenario.seed.project}`),
    cases: [
      { spec: '2, Project detail: name', check: (page) => page.getByRole('heading', { level: 1, name }) },
      {
        spec: '2, Project detail: description',
        check: (page) => page.getByText('Cranes, gates and what steers them.'),
      },
      { spec: '2, Project detail: Status', check: (page) => fact(page, 'Status').getByText('Active') },
      {
        spec: '2, Project detail: Start Date',
        check: (page) => fact(page, 'Start Date').getByText('Jan 5, 2026'),
      },
      {
        spec: '2, Project detail: Last Updated',
        check: (page) => fact(page, 'Last Updated').getByText('by Ada Quay'),
      },
      {
        spec: '2, Project detail: Risk Overview',
        check: (page) => page.getByRole('region', { name: 'Risk Overview' }),
      },
      riskLine('Assets by health', 'Warning: 2', 'health=Warning'),
      riskLine('Assets by risk score', 'Medium Risk: 1', 'riskScoreMin=3&riskScoreMax=6.9'),
      riskLine('Open vulnerabilities by severity', 'Critical: 1', 'status=open&severity=critical'),
      riskLine('Threats by risk', 'High: 1', 'risk=high'),
      {
        spec: 'issue, a number of the Risk Overview opens the list of exactly these records',
        async check(page) {
          await page
            .getByRole('region', { name: 'Threats by risk' })
            .getByRole('link', { name: lineName('High: 1') })
            .click();
          await rowOf(page, seedNames.above).waitFor();
          await page.getByText(/^1 of \d+ threats$/u).waitFor();
          await page.getByText('Related to one project').waitFor();
          await page.goBack();
          await page.getByRole('heading', { level: 1, name }).waitFor();
        },
      },
      {
        spec: '2, project risk bar chart with Assets, Threats and Vulnerabilities counts',
        check: (page) =>
          page.getByRole('img', { name: 'Project risk: Assets 2; Threats 1; Vulnerabilities 2' }),
      },
      {
        spec: 'issue, the chart as a table',
        async check(page) {
          await page.getByRole('radio', { name: 'Table' }).first().click();
          await page.getByRole('table', { name: 'Project risk' }).waitFor();
        },
      },
      {
        spec: 'issue, its assets as a list',
        async check(page) {
          const list = page.getByRole('region', { name: 'Assets', exact: true });
          await rowOf(page, 'Crane controller').waitFor();
          expect(await columnsOf(page)).toEqual(expect.arrayContaining(['Name', 'Risk Score', 'Health']));
          await list.getByRole('searchbox', { name: 'Search assets' }).fill('kiosk');
          await rowOf(page, 'Crane controller').waitFor({ state: 'detached' });
          await rowOf(page, 'Gate kiosk').waitFor();
        },
      },
      {
        spec: '2, Project detail: a real Activity Timeline, also of its assets',
        async check(page) {
          const timeline = page.getByRole('region', { name: 'Activity Timeline' });
          await timeline.getByText('created the project').waitFor();
          await timeline.getByText('Crane controller').first().waitFor();
        },
      },
    ],
  },
  {
    where: '/dashboard/projects/{id} without a response',
    failures: [{ status: 'none', url: /^\/api\/projects\/[^/]+$/u }],
    async open(page, scenario) {
      await abortCalls(page, /\/api\/projects\/[^/?]+$/u);
      await goTo(page, scenario, `/dashboard/projects/${scenario.seed.project}`);
    },
    cases: [
      {
        spec: "2, Project detail: 'Error Loading Project'",
        check: (page) => page.getByText('Error Loading Project'),
      },
      {
        spec: "2, Project detail: 'Failed to load project details.'",
        async check(page) {
          await page.getByText('Failed to load project details.').waitFor();
          await page.unroute(/\/api\/projects\/[^/?]+$/u);
        },
      },
    ],
  },
  {
    where: '/dashboard/projects/{id} of no project',
    failures: [
      { status: 404, url: /^\/api\/projects\/0199f000-[^/]+$/u },
      { status: 404, url: /^\/api\/projects\/0199f000-[^/]+\/risk$/u },
    ],
    open: (page, scenario) =>
      goTo(page, scenario, '/dashboard/projects/0199f000-0000-7000-8000-00000000dead'),
    cases: [
      {
        spec: "2, Project detail: 'Project not found.'",
        check: (page) => page.getByText('Project not found.'),
      },
      {
        spec: 'UX, a way to all projects',
        check: (page) => page.getByRole('link', { name: 'All projects' }),
      },
    ],
  },
];

/** The project that the cases create, change and delete. */
const made = 'Lock gates of the old basin';

export const projectForms: readonly PageCase[] = [
  {
    where: '/dashboard/projects/new',
    open: (page, scenario) => goTo(page, scenario, '/dashboard/projects/new'),
    cases: [
      ...['Core Details', 'Timeline and Status', 'Organizational Context', 'Rankings and References'].map(
        (title): SpecCase => ({
          spec: `2, Project form: section ${title}`,
          check: (page) => page.getByRole('heading', { level: 2, name: title }),
        }),
      ),
      { spec: "2, Project form: 'Back to Projects'", check: (page) => button(page, 'Back to Projects') },
      { spec: '2, Project form: Cancel', check: (page) => button(page, 'Cancel') },
      {
        spec: '5, Project: name, description, startDate non-blank',
        async check(page) {
          await page.getByText('Required: Name, Description, and Start date.').waitFor();
          expect(await button(page, 'Create').isDisabled()).toBe(true);
        },
      },
      {
        spec: '5, Project: planned end date is disabled until a start date is set',
        async check(page) {
          await page.getByText('Enter a start date first.').waitFor();
          expect(await field(page, 'Planned end date').getAttribute('aria-disabled')).toBe('true');
          await field(page, 'Name').fill(made);
          await field(page, 'Description').fill('Gates, winches and their keys.');
          await field(page, 'Start date').fill('2026-03-28');
          expect(await field(page, 'Planned end date').getAttribute('aria-disabled')).toBeNull();
        },
      },
      {
        spec: '5, Project: planned end at least the day after the start date; submit disabled while invalid',
        async check(page) {
          await field(page, 'Planned end date').fill('2026-03-29');
          await field(page, 'Start date').fill('2026-03-29');
          await page
            .getByText('The planned end date must be at least the day after the start date.')
            .first()
            .waitFor();
          expect(await button(page, 'Create').isDisabled()).toBe(true);
          await field(page, 'Planned end date').fill('2026-03-30');
          await expect.poll(() => button(page, 'Create').isEnabled()).toBe(true);
        },
      },
      {
        spec: "8, Success toasts: 'Project created'",
        async check(page) {
          await button(page, 'Create').click();
          await toast(page, 'Project created').waitFor();
          await card(page, made).getByRole('link').waitFor();
        },
      },
      {
        spec: '4, Optimistic changes: the card of the new project shows its fields',
        check: (page) => card(page, made).getByText('Mar 29, 2026'),
      },
    ],
  },
  {
    where: '/dashboard/projects/{id}/edit',
    async open(page, scenario) {
      await goTo(page, scenario, `/dashboard?search=${encodeURIComponent(made)}`);
      await page.getByRole('button', { name: `Actions for ${made}` }).click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      await page.getByRole('heading', { level: 1, name: 'Edit Project' }).waitFor();
    },
    cases: [
      {
        spec: "2, Project form: 'Back to Project Details'",
        check: (page) => button(page, 'Back to Project Details'),
      },
      {
        spec: '4, Submit buttons: on edit enabled only when something changed',
        async check(page) {
          expect(await button(page, 'Update').isDisabled()).toBe(true);
          await field(page, 'Objective').fill('No gate opens by itself.');
          await expect.poll(() => button(page, 'Update').isEnabled()).toBe(true);
        },
      },
      {
        spec: "8, Success toasts: 'Project updated'",
        async check(page) {
          await button(page, 'Update').click();
          await toast(page, 'Project updated').waitFor();
          await page.getByText('No gate opens by itself.').first().waitFor();
        },
      },
      {
        spec: 'issue, the status is changed where it is shown',
        async check(page) {
          await page.getByTitle('Change status').click();
          await page.getByRole('menuitemradio', { name: 'On Hold' }).click();
          await toast(page, `Status of “${made}” changed to On Hold`).waitFor();
        },
      },
      {
        spec: 'issue, deleting a project names the counts of what goes with it',
        async check(page) {
          await button(page, 'Delete').click();
          const dialog = page.getByRole('alertdialog', { name: `Delete “${made}”?` });
          await dialog.getByText('0 assets').waitFor();
          await dialog.getByRole('button', { name: 'Delete project' }).click();
        },
      },
      {
        spec: "8, Success toasts: 'Project deleted'",
        async check(page) {
          await toast(page, 'Project deleted').waitFor();
          await page.waitForURL('**/dashboard');
          await card(page, made).waitFor({ state: 'detached' });
        },
      },
      {
        spec: 'UX, Undo restores the project',
        async check(page) {
          await button(page, 'Undo').first().click();
          await toast(page, 'Project restored').waitFor();
          await card(page, made).waitFor();
        },
      },
    ],
  },
];
