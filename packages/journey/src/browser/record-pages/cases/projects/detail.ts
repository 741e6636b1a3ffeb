import { expect } from 'vitest';
import { columnsOf, fact, rowOf } from '../../locators.ts';
import { abortCalls, goTo, load, type PageCase, type SpecCase } from '../../page-cases.ts';
import { seedNames } from '../../seed-records.ts';

const name = 'Harbour renewal';

/** Name of the link of a line such as 'Warning: 2'. */
const lineName = (line: string): RegExp => new RegExp(`^${line.replace(': ', '\\s*')}$`, 'u');

const riskLine = (group: string, line: string, list: string): SpecCase => ({
  spec: `2, Project detail: Risk Overview, ${group}: ${line}`,
  async check(page) {
    const link = page.getByRole('region', { name: group }).getByRole('link', { name: lineName(line) });
    expect(await link.getAttribute('href')).toContain(list);
  },
});

/** The page of a project. */
export const projectDetail: readonly PageCase[] = [
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
          await page.getByText(`Project: ${name}`).waitFor();
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
      await load(page, scenario, `/dashboard/projects/${scenario.seed.project}`);
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
