import { accounts, activity, assets, projects, type Project, type ProjectRisk } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { answerDashboard } from '../../../testing/dashboard.ts';
import { fakeApi, pageOf } from '../../../testing/fake-api.ts';
import { assetOf } from '../../../testing/records.ts';
import { visit } from '../../../testing/render-app.tsx';
import { entryOf, projectOf, userOf } from '../../../testing/rows.ts';
import { answer, counted, refusal, server, useServer } from '../../../testing/server.ts';

useServer();
// Each step searches the whole page by role, which is slow on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

const risk: ProjectRisk = {
  assets: {
    total: 6,
    byHealth: { Healthy: 3, Warning: 2, Critical: 1 },
    byScore: { low: 3, medium: 1, high: 2 },
  },
  vulnerabilities: {
    total: 9,
    open: 7,
    bySeverity: { critical: 1, high: 2, medium: 3, low: 0, none: 1 },
  },
  threats: { total: 4, byRisk: { high: 1, medium: 1, low: 2, none: 0 } },
};

function open(change: Partial<Project> = {}, at = '') {
  const api = fakeApi();
  answerDashboard();
  const detail = projectOf(change);
  const requests: URL[] = [];
  const record = <T,>(url: URL, reply: T): T => {
    requests.push(url);
    return reply;
  };
  server.use(
    answer(projects.get, () => detail),
    answer(projects.risk, () => risk),
    answer(projects.riskHistory, () => ({ step: 1, points: [], firstRecordedDay: null })),
    answer(assets.list, ({ url }) => {
      const { rows, ...page } = pageOf([assetOf({ name: 'Crane controller' })], url);
      return record(url, { assets: rows, ...page, skipped: 0 });
    }),
    answer(assets.facets, () => ({ facets: {} })),
    answer(activity.list, ({ url }) => {
      const entry = entryOf({ action: 'asset.created', noun: 'assets', name: 'Crane controller' });
      const { rows, ...page } = pageOf([entry], url);
      return record(url, { activity: rows, searchedSince: null, ...page });
    }),
  );
  return { api, detail, requests, ...visit(`/dashboard/projects/${detail._id}${at}`) };
}

const facts = () => within(screen.getByRole('region', { name: 'Facts' }));
const fact = (name: string) =>
  facts()
    .getAllByRole('term')
    .find(({ textContent }) => textContent === name)?.nextElementSibling?.textContent;

describe('the page of a project', () => {
  it('shows name, description, Status, Start Date, Last Updated and the other fields', async () => {
    open({
      objective: 'Every crane has an owner.',
      plannedEndDate: '2026-06-01',
      clientOrganizationName: 'Northquay',
      organizationStrategy: 'Replace in two steps.',
      rankingsName: 'FIPS 199',
      rankingsDescription: 'Low to high.',
      rankingsReference: 'https://example.org/rankings',
    });
    await screen.findByRole('heading', { level: 1, name: 'Harbour renewal' });
    expect(screen.getByText('Cranes and what steers them.')).toBeDefined();
    expect(fact('Status')).toBe('Active');
    expect(fact('Progress')).toContain('75%');
    expect(fact('Start Date')).toBe('Jan 5, 2026');
    expect(fact('Planned end')).toBe('Jun 1, 2026');
    expect(fact('Client organization')).toBe('Northquay');
    expect(fact('Rankings name')).toBe('FIPS 199');
    expect(fact('Last Updated')).toContain('Nov 21, 2026');
    expect(facts().getByRole('link', { name: /example\.org/u })).toBeDefined();
    for (const text of ['Every crane has an owner.', 'Replace in two steps.', 'Low to high.'])
      expect(screen.getByText(text)).toBeDefined();
  });

  it('shows what is at risk, and each number opens the list of exactly these records', async () => {
    const { detail } = open();
    const overview = within(await screen.findByRole('region', { name: 'Risk Overview' }));
    await overview.findByRole('region', { name: 'Threats by risk' });
    const shown = overview.getAllByRole('region').map((group) => [
      group.getAttribute('aria-label'),
      within(group)
        .getAllByRole('link')
        .map((link) => [
          link.textContent,
          decodeURIComponent(link.getAttribute('href') ?? '').replace(detail._id, 'ID'),
        ]),
    ]);
    expect(shown).toEqual([
      [
        'Assets by health',
        [
          ['Critical1', '/dashboard/assets?projectId=ID&health=Critical'],
          ['Warning2', '/dashboard/assets?projectId=ID&health=Warning'],
          ['Healthy3', '/dashboard/assets?projectId=ID&health=Healthy'],
        ],
      ],
      [
        'Assets by risk score',
        [
          ['High Risk2', '/dashboard/assets?riskScoreMin=7&projectId=ID'],
          ['Medium Risk1', '/dashboard/assets?riskScoreMin=3&riskScoreMax=6.9&projectId=ID'],
          ['Low Risk3', '/dashboard/assets?riskScoreMax=2.9&projectId=ID'],
        ],
      ],
      [
        'Open vulnerabilities by severity',
        [
          ['Critical1', '/dashboard/vulnerabilities?projectId=ID&status=open&severity=critical'],
          ['High2', '/dashboard/vulnerabilities?projectId=ID&status=open&severity=high'],
          ['Medium3', '/dashboard/vulnerabilities?projectId=ID&status=open&severity=medium'],
          ['Low0', '/dashboard/vulnerabilities?projectId=ID&status=open&severity=low'],
          ['No severity1', '/dashboard/vulnerabilities?projectId=ID&status=open&severity=N/A'],
        ],
      ],
      [
        'Threats by risk',
        [
          ['High1', '/dashboard/threats?projectId=ID&risk=high'],
          ['Medium1', '/dashboard/threats?projectId=ID&risk=medium'],
          ['Low2', '/dashboard/threats?projectId=ID&risk=low'],
        ],
      ],
    ]);
  });

  it('shows the counts of assets, threats and vulnerabilities as a chart with a table', async () => {
    open({ assets: 3, threats: 2, vulnerabilities: 1234 });
    const table = await screen.findByRole('table', { name: 'Project risk' });
    expect(
      within(table)
        .getAllByRole('row')
        .map(({ textContent }) => textContent),
    ).toEqual(['KindCount', 'Assets3', 'Threats2', 'Vulnerabilities1,234']);
  });

  it('lists its assets, those with the highest score first, and its activity with that of its assets', async () => {
    const { detail, requests } = open();
    expect(await screen.findByRole('link', { name: 'Crane controller' })).toBeDefined();
    const timeline = within(await screen.findByRole('region', { name: 'Activity Timeline' }));
    expect(await timeline.findByText(/created/u)).toBeDefined();
    const of = (path: string) => requests.find(({ pathname }) => pathname === path)?.searchParams;
    expect(of('/api/assets')?.get('projectId')).toBe(detail._id);
    expect(of('/api/assets')?.get('sort')).toBe('-riskScore');
    expect(of('/api/activity')?.get('projectId')).toBe(detail._id);
  });

  it('leads to a new asset and to the import of assets with the project, also while it has no assets', async () => {
    const { detail } = open();
    server.use(
      answer(assets.list, ({ url }) => {
        const { rows, ...page } = pageOf([], url);
        return { assets: rows, ...page, skipped: 0 };
      }),
    );
    const list = within(await screen.findByRole('region', { name: 'Assets' }));
    await list.findByText('No assets found.');
    const addressOf = (name: string) => list.getByRole('link', { name }).getAttribute('href');
    expect(addressOf('New asset')).toBe(`/dashboard/assets/new?projectId=${detail._id}`);
    expect(addressOf('Import CSV')).toBe(`/dashboard/assets/import?project=${detail._id}`);
  });

  it('disables a new asset and the import of assets for a viewer', async () => {
    open();
    server.use(answer(accounts.me, () => ({ user: userOf({ role: 'viewer' }) })));
    const list = within(await screen.findByRole('region', { name: 'Assets' }));
    for (const name of ['New asset', 'Import CSV']) {
      const button = await list.findByRole('button', { name });
      expect(button.getAttribute('aria-disabled')).toBe('true');
    }
  });

  it('changes the status where it is shown', async () => {
    const { user, detail } = open();
    const sent: unknown[] = [];
    const changed = { ...detail, status: 'on-hold' as const, progress: 50, version: 2 };
    server.use(
      answer(projects.update, async ({ request }) => {
        sent.push(await request.json());
        server.use(answer(projects.get, () => changed));
        return changed;
      }),
    );
    await user.click(await screen.findByTitle('Change status'));
    await user.click(await screen.findByRole('menuitemradio', { name: 'On Hold' }));
    await screen.findByText('Status of “Harbour renewal” changed to On Hold');
    expect(sent).toEqual([{ status: 'on-hold' }]);
    await waitFor(() => expect(fact('Status')).toBe('On Hold'));
  });

  it('is deleted after a dialog that names the counts, and leads to the dashboard', async () => {
    const { user, router, detail } = open();
    const deleted = counted(projects.delete, () => ({
      success: true as const,
      _id: detail._id,
      id: detail._id,
    }));
    server.use(
      answer(projects.deletionPreview, () => ({
        assets: 3,
        dependencies: 2,
        relations: 19,
        threats: 6,
        vulnerabilities: 7,
      })),
    );
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    const dialog = await screen.findByRole('alertdialog');
    expect(await within(dialog).findByText('19 relations to threats and vulnerabilities')).toBeDefined();
    expect(deleted.times).toBe(0);
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await user.click(await screen.findByRole('button', { name: 'Delete project' }));
    await screen.findByText('Project deleted');
    expect(router.state.location.pathname).toBe('/dashboard');
    expect(deleted.times).toBe(1);
  });

  it('isolates a name that is written from right to left where the dialog of its deletion and the window title show it', async () => {
    const name = '\u05E9\u05DC\u05D5\u05DD (1)';
    const { user } = open({ name });
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    await screen.findByRole('alertdialog', { name: `Delete “\u2068${name}\u2069”?` });
    expect(document.title).toBe(`\u2068${name}\u2069 · Riskboard`);
  });

  it('shows the texts of the spec when it failed to load, and Retry loads it', async () => {
    const { user } = open();
    server.use(answer(projects.get, () => refusal('unavailable')));
    const alert = await screen.findByRole('alert');
    expect(within(alert).getByText('Error Loading Project')).toBeDefined();
    expect(within(alert).getByText('Failed to load project details.')).toBeDefined();
    server.use(answer(projects.get, () => projectOf()));
    await user.click(within(alert).getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Harbour renewal' })).toBeDefined();
  });

  // The server does not know which record a malformed id means.
  it.each(['Project not found.', 'Not found.'])(
    'shows that an unknown project was not found (%s), with a way to all projects',
    async (message) => {
      open();
      server.use(answer(projects.get, () => refusal('not_found', message)));
      const alert = await screen.findByRole('alert');
      expect(within(alert).getByText('Error Loading Project')).toBeDefined();
      expect(within(alert).getByText('Project not found.')).toBeDefined();
      expect(within(alert).queryByText('Failed to load project details.')).toBeNull();
      expect(screen.getByRole('link', { name: 'All projects' }).getAttribute('href')).toBe('/dashboard');
    },
  );
});
