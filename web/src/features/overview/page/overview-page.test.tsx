import { overview, projects } from '@riskboard/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeApi } from '../../../testing/fake-api.ts';
import { answerDashboard } from '../../../testing/dashboard.ts';
import { answerOverview, metricsOf, noMetrics } from '../../../testing/overview.ts';
import { fill, visit } from '../../../testing/render-app.tsx';
import { projectOf } from '../../../testing/rows.ts';
import { answer, counted, refusal, server, useServer } from '../../../testing/server.ts';

useServer();
// Each step searches the whole page by role, which is slow on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

beforeEach(() => {
  fakeApi();
  answerDashboard();
  answerOverview();
});

const open = () => visit('/dashboard/overview');
const region = async (name: string) => within(await screen.findByRole('region', { name }));
const card = (part: Awaited<ReturnType<typeof region>>, name: string) => part.findByRole('article', { name });
const linksOf = (part: Awaited<ReturnType<typeof region>>) =>
  part.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);

describe('the overview', () => {
  it('is the first entry of the navigation and names the page', async () => {
    open();
    const main = within(await screen.findByRole('navigation', { name: 'Main' }));
    const [first] = main.getAllByRole('link');
    expect([first?.textContent, first?.getAttribute('href'), first?.getAttribute('aria-current')]).toEqual([
      'Overview',
      '/dashboard/overview',
      'page',
    ]);
    expect(await screen.findByRole('heading', { level: 1, name: 'Overview' })).toBeDefined();
    const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumbs' }));
    expect(crumbs.getByText('Overview').getAttribute('aria-current')).toBe('page');
    expect(document.title).toBe('Overview · Riskboard');
  });

  it('shows the four metric cards of the spec with a number, a detail and a link to the counted rows', async () => {
    open();
    const metrics = await region('Metrics');
    await metrics.findByText('1,284');
    const cards = metrics.getAllByRole('article');
    expect(cards.map((one) => one.getAttribute('aria-label'))).toEqual([
      'Total Threats',
      'Open Vulnerabilities',
      'New Vulnerabilities',
      'Assets at Risk',
    ]);
    expect(linksOf(metrics)).toEqual([
      ['See Detail of Total Threats', '/dashboard/threats?view=none'],
      ['See Detail of Open Vulnerabilities', '/dashboard/vulnerabilities?status=open'],
      ['See Detail of New Vulnerabilities', '/dashboard/vulnerabilities?status=new'],
      ['See Detail of Assets at Risk', '/dashboard/assets?status=at-risk'],
    ]);
    expect(cards[0]?.textContent).toContain('9 with a high risk level');
    expect(cards[1]?.textContent).toContain('4 critical');
  });

  it('shows the enhanced cards with band, bar of 100 minus the score, and lists of the counted rows', async () => {
    open();
    const part = await region('Risk and remediation');
    const score = within(await card(part, 'Overall Risk Score'));
    expect(await score.findByText('Medium')).toBeDefined();
    expect(score.getByRole('button', { name: '57, explain Overall Risk Score' })).toBeDefined();
    expect(score.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('43');
    expect(score.getByText('43 points below the highest score')).toBeDefined();
    expect((await card(part, 'Active Threats')).textContent).toContain('Of 41 threats');
    expect((await card(part, 'Remediation Rate')).textContent).toContain('1.2%');
    expect((await card(part, 'Remediation Rate')).textContent).toContain('16 new of 1,300 open and new');
    expect(linksOf(part)).toEqual([
      ['View list of Active Threats', '/dashboard/threats?isActive=true'],
      ['View list of Open Vulnerabilities', '/dashboard/vulnerabilities?status=open'],
    ]);
  });

  it.each([
    ['increase', 12.5, 'Up 12.5%, worse'],
    ['decrease', 12.5, 'Down 12.5%, better'],
    ['increase', 0, 'Up < 0.1%, worse'],
    ['increase', 999.9, 'Up 999.9%, worse'],
    ['increase', 11_061.9, 'Up 112-fold, worse'],
    ['decrease', 0.1, 'Down 0.1%, better'],
  ] as const)(
    'the change “%s” by %d percent of open vulnerabilities is shown as “%s” since the snapshot',
    async (changeType, change, text) => {
      const { openVulnerabilities } = metricsOf();
      const changed = { ...openVulnerabilities, change, changeType };
      answerOverview({ metrics: metricsOf({ openVulnerabilities: changed }) });
      open();
      const metrics = await region('Metrics');
      expect(await metrics.findByText(text)).toBeDefined();
      expect((await card(metrics, 'Open Vulnerabilities')).textContent).toContain('since Oct 23');
    },
  );

  it('an increase of the remediation rate is better', async () => {
    const { remediationRate } = metricsOf();
    const changed = { ...remediationRate, change: 3, changeType: 'increase' as const };
    answerOverview({ metrics: metricsOf({ remediationRate: changed }) });
    open();
    const rate = await card(await region('Risk and remediation'), 'Remediation Rate');
    expect(await within(rate).findByText('Up 3%, better')).toBeDefined();
  });

  it('a number without a change or without an earlier snapshot says which direction is good', async () => {
    open();
    const metrics = await region('Metrics');
    expect(await metrics.findAllByText('No change, lower is better')).toHaveLength(4);
    const other = metricsOf({ comparedWith: null, asOf: '2026-11-22T11:00:00.000Z' });
    answerOverview({ metrics: other });
    await open().connected();
    expect((await screen.findAllByText('No earlier number, higher is better')).length).toBeGreaterThan(0);
  });

  it('the status is good while the metrics load, then that of the reply, with the sentences and their links', async () => {
    let reply: (() => void) | undefined;
    server.use(
      answer(overview.metrics, async () => {
        await new Promise<void>((resolve) => {
          reply = resolve;
        });
        return metricsOf();
      }),
    );
    open();
    const status = await region('Security status');
    expect(status.getByText('Good')).toBeDefined();
    await waitFor(() => expect(reply).toBeDefined());
    reply?.();
    expect(await status.findByText('Poor')).toBeDefined();
    expect(status.queryByText('Good')).toBeNull();
    expect(linksOf(status)).toEqual([
      ['2 new critical vulnerabilities on mission-critical assets', '/dashboard/vulnerabilities?view=none'],
    ]);
    expect(status.getByText('Risk up 4 since Monday')).toBeDefined();
  });

  it('alerts and insights show severity or priority as text, the suggested time, and open their rows', async () => {
    open();
    const alerts = await region('Critical Alerts');
    const alert = await alerts.findByRole('link', { name: 'Threats with a high risk level' });
    expect(alert.getAttribute('href')).toBe('/dashboard/threats?risk=high');
    expect(alerts.getByText('High')).toBeDefined();
    expect(alerts.getByText('9')).toBeDefined();
    const insights = await region('Actionable Insights');
    const insight = insights.getByRole('link', { name: 'Assess the new vulnerabilities' });
    expect(insight.getAttribute('href')).toBe('/dashboard/vulnerabilities?status=new');
    expect(insights.getByText('Medium priority')).toBeDefined();
    expect(insights.getByRole('listitem').textContent).toContain('1-2 hours');
  });

  it('without alerts and insights shows the empty texts of the spec', async () => {
    answerOverview({ metrics: metricsOf({ alerts: [], insights: [] }) });
    open();
    expect(await screen.findByText('No Critical Alerts')).toBeDefined();
    expect(screen.getByText('No Action Items')).toBeDefined();
  });

  it.each([
    [999, '> 99%'],
    [990, '99%'],
    [1000, '100%'],
    [10, '1%'],
    [9, '< 1%'],
    [0, '0%'],
  ])('the step of the funnel with %d of 1,000 vulnerabilities is %s', async (count, text) => {
    const { funnel: steps } = metricsOf();
    const funnel = steps.map((step, at) => ({ ...step, count: at === 0 ? 1000 : count }));
    answerOverview({ metrics: metricsOf({ funnel }) });
    open();
    const link = await (
      await region('From open to urgent')
    ).findByRole('link', { name: /Critical or high$/u });
    expect(link.closest('li')?.textContent).toContain(`Critical or high${text}`);
  });

  it('each step of the funnel shows its count, its share and opens its list', async () => {
    open();
    const funnel = await region('From open to urgent');
    await funnel.findByText('< 1%');
    expect(linksOf(funnel)).toEqual([
      ['1,284: Open', '/dashboard/vulnerabilities?status=open'],
      ['3: Critical or high', '/dashboard/vulnerabilities?severity=critical'],
    ]);
  });

  it('the risk categories show value, open vulnerabilities, impact in M and the last synchronization', async () => {
    open();
    const categories = await region('Risk Categories');
    const rows = within(await categories.findByRole('table')).getAllByRole('row');
    expect(rows[1]?.textContent).toBe('Input Validation78.4%44 open in Input Validation');
    const swatch = rows[1]?.querySelector<HTMLElement>('[aria-hidden]');
    expect(swatch?.style.backgroundColor).toBe('rgb(79, 118, 224)');
    expect(categories.getByRole('link').getAttribute('href')).toBe(
      '/dashboard/vulnerabilities?status=open&categoryId=1',
    );
    expect(categories.getByRole('button', { name: '$2.4M, explain Estimated impact' })).toBeDefined();
    expect(categories.getByText('Last synced')).toBeDefined();
    expect(categories.getByRole('time').getAttribute('datetime')).toBe('2026-11-22T08:00:00.000Z');
  });

  it('the trend shows each month with its level, and a month without an open vulnerability as such', async () => {
    open();
    const trend = await region('Risk Exposure Trend');
    expect(await trend.findByRole('heading', { name: 'Monthly summary of risk levels' })).toBeDefined();
    const rows = within(trend.getByRole('table')).getAllByRole('row');
    expect(rows.map((row) => [...row.children].map((cell) => cell.textContent))).toEqual([
      ['Month', 'Mean severity'],
      ['November 2026', '6.3 Medium'],
      ['October 2026', '7.1 High'],
      ['September 2026', 'No open vulnerability'],
    ]);
    expect(
      trend.getByText('Past months are recalculated with the discovery and fix dates known today.'),
    ).toBeDefined();
  });

  it('a number opens its explanation in the URL', async () => {
    counted(overview.explain, () => refusal('unavailable'));
    const { router, user } = open();
    await user.click(await screen.findByRole('button', { name: '41, explain Total Threats' }));
    expect(router.state.location.search).toEqual({ explain: 'totalThreats' });
  });
});

describe('an organization without records', () => {
  it('gets ways to add the first ones, with the empty texts, and no charts', async () => {
    answerOverview({ metrics: noMetrics });
    open();
    const start = await region('Get started');
    expect(start.getByRole('button', { name: 'Data Upload' })).toBeDefined();
    expect(start.getAllByRole('heading', { level: 3 })[0]?.textContent).toBe('Create a project');
    expect(start.getByRole('link', { name: 'New asset' }).getAttribute('href')).toBe('/dashboard/assets/new');
    expect(screen.getByText('No Critical Alerts')).toBeDefined();
    expect(screen.queryByRole('region', { name: 'Risk Exposure Trend' })).toBeNull();
  });

  it('leads to the form of a project, which returns to the overview', async () => {
    answerOverview({ metrics: noMetrics });
    const { router, user } = open();
    await user.click((await region('Get started')).getByRole('link', { name: 'New project' }));
    await screen.findByRole('heading', { level: 1, name: 'Create New Project' });
    server.use(answer(projects.create, () => projectOf()));
    await fill(user, screen.getByRole('textbox', { name: 'Name' }), 'Harbour');
    await fill(user, screen.getByRole('textbox', { name: 'Description' }), 'Cranes.');
    fireEvent.change(screen.getByLabelText(/^Start date/u), { target: { value: '2026-02-28' } });
    await user.click(screen.getByRole('button', { name: 'Create' }));
    await region('Get started');
    expect(router.state.location.pathname).toBe('/dashboard/overview');
  });

  it('is not one whose numbers are 0 but that has records', async () => {
    answerOverview({ metrics: noMetrics, records: 1 });
    await open().connected();
    expect(await screen.findByRole('region', { name: 'Risk Exposure Trend' })).toBeDefined();
    expect(screen.queryByRole('region', { name: 'Get started' })).toBeNull();
  });
});
