import { accounts, projects, type Project, type User } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { answerDashboard } from '../../../testing/dashboard.ts';
import { fakeApi, pageOf } from '../../../testing/fake-api.ts';
import { fill, visit } from '../../../testing/render-app.tsx';
import { projectOf, userOf } from '../../../testing/rows.ts';
import { answer, counted, refusal, server, useServer } from '../../../testing/server.ts';

useServer();
// Each step searches the whole page by role, which is slow on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

let requests: URL[];
beforeEach(() => {
  requests = [];
});

function open(rows: Project[], { at = '/dashboard', user = {} }: { at?: string; user?: Partial<User> } = {}) {
  const api = fakeApi();
  answerDashboard({ user, files: 0 });
  server.use(
    answer(accounts.me, () => ({ user: userOf(user) })),
    answer(projects.list, ({ url }) => {
      requests.push(url);
      const search = (url.searchParams.get('search') ?? '').toLowerCase();
      const statuses = url.searchParams.getAll('status');
      const found = rows.filter(
        ({ name, status }) =>
          name.toLowerCase().includes(search) && (statuses.length === 0 || statuses.includes(status)),
      );
      const { rows: shown, ...page } = pageOf(found, url);
      return { projects: shown, ...page };
    }),
  );
  return { api, ...visit(at) };
}

const harbour = projectOf({ name: 'Harbour renewal', assets: 1, threats: 2, vulnerabilities: 1234 });
const locks = projectOf({ name: 'Locks', status: 'completed', progress: 100 });
const quay = projectOf({ name: 'Quay', status: 'on-hold', progress: 50 });
const cards = () => screen.findAllByRole('article');
const names = () => screen.queryAllByRole('article').map((card) => card.getAttribute('aria-label'));
const last = () => requests.at(-1)?.searchParams;

describe('the project dashboard', () => {
  it('greets by first name and says when the organization has no name', async () => {
    open([], { user: { firstName: 'Grace', organization: '' } });
    expect(await screen.findByRole('heading', { level: 1, name: 'Hello, Grace' })).toBeDefined();
    expect(screen.getAllByText('Organization not set').length).toBeGreaterThan(0);
  });

  it('has a heading for each project, one level below that of the page', async () => {
    open([harbour]);
    expect(await screen.findByRole('heading', { level: 2, name: 'Harbour renewal' })).toBeDefined();
  });

  it('shows six counts, each with a link to the list that it counts', async () => {
    open([harbour]);
    const metrics = within(await screen.findByRole('region', { name: 'Project metrics' }));
    await metrics.findByText('1,234');
    expect(metrics.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual(
      [
        ['Active Projects2In progress', '/dashboard?status=active'],
        ['Completed1Finished projects', '/dashboard?status=completed'],
        ['On Hold0Paused projects', '/dashboard?status=on-hold'],
        ['Total Assets12In all projects', '/dashboard/assets?view=none'],
        ['Total Threats5Active and inactive', '/dashboard/threats?view=none'],
        ['Vulnerabilities1,234Of every status', '/dashboard/vulnerabilities?view=none'],
      ],
    );
  });

  it('shows a card for each project with status, description, progress, start and counts', async () => {
    open([harbour, locks, quay]);
    const [first, second, third] = await cards();
    const card = within(first as HTMLElement);
    expect(card.getByRole('link', { name: 'Harbour renewal' }).getAttribute('href')).toBe(
      `/dashboard/projects/${harbour._id}`,
    );
    expect(card.getByText('Active')).toBeDefined();
    expect(card.getByText('Cranes and what steers them.')).toBeDefined();
    const progress = card.getByRole('progressbar', { name: 'Progress of Harbour renewal' });
    expect(progress.getAttribute('aria-valuenow')).toBe('75');
    expect(first?.textContent).toContain('Jan 5, 2026');
    expect(card.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      '1asset',
      '2threats',
      '1,234vulnerabilities',
    ]);
    expect(second?.textContent).toContain('Completed');
    expect(second?.textContent).toContain('100%');
    expect(third?.textContent).toContain('On Hold');
    expect(third?.textContent).toContain('50%');
  });

  it('searches, filters by status and sorts, with the state in the address', async () => {
    const { user, router } = open([harbour, locks, quay]);
    await cards();
    await fill(user, screen.getByRole('searchbox', { name: 'Search projects' }), 'quay');
    await waitFor(() => expect(names()).toEqual(['Quay']));
    expect(router.state.location.search).toMatchObject({ search: 'quay' });
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    await waitFor(() => expect(names()).toHaveLength(3));
    await user.click(screen.getByRole('combobox', { name: 'Status' }));
    await user.click(await screen.findByRole('option', { name: 'Completed' }));
    await waitFor(() => expect(names()).toEqual(['Locks']));
    expect(router.state.location.href).toBe('/dashboard?status=completed');
    await user.click(screen.getByRole('combobox', { name: 'Sort by' }));
    await user.click(await screen.findByRole('option', { name: 'Most threats' }));
    await waitFor(() => expect(last()?.get('sort')).toBe('-threats'));
    expect(last()?.get('status')).toBe('completed');
  });

  it('shows thousands of projects in pages', async () => {
    const many = Array.from({ length: 30 }, (_, n) => projectOf({ name: `Project ${n}` }));
    const { user } = open(many);
    expect(await cards()).toHaveLength(12);
    expect(screen.getByText('30 projects')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Page 3' }));
    await waitFor(() => expect(names()).toEqual(many.slice(24).map(({ name }) => name)));
  });

  it('without projects, shows the way to the first one and to the first report', async () => {
    open([]);
    expect(await screen.findByText('No projects found.')).toBeDefined();
    const first = screen.getByRole('link', { name: 'Create your first project' });
    expect(first.getAttribute('href')).toBe('/dashboard/projects/new');
    expect(screen.queryByRole('searchbox', { name: 'Search projects' })).toBeNull();
    expect(await screen.findByText('No reports yet')).toBeDefined();
  });

  it('without projects, shows a viewer why they cannot create one', async () => {
    open([], { user: { role: 'viewer' } });
    await screen.findByText('No projects found.');
    expect(screen.getByText(/Requires the analyst role\. You are a viewer\./u)).toBeDefined();
    const button = screen.getByRole('button', { name: 'Create your first project' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
  });

  it('without a match, offers to clear the filters', async () => {
    const { user } = open([harbour], { at: '/dashboard?status=on-hold' });
    await screen.findByText('No projects found.');
    const [clear] = screen.getAllByRole('button', { name: 'Clear filters' });
    await user.click(clear as HTMLElement);
    await waitFor(() => expect(names()).toEqual(['Harbour renewal']));
  });

  it('shows that loading failed, and Retry loads the projects', async () => {
    const { user } = open([harbour]);
    server.use(answer(projects.list, () => refusal('unavailable')));
    const alert = await screen.findByRole('alert');
    expect(within(alert).getByText('Failed to load projects.')).toBeDefined();
    counted(projects.list, () => ({
      projects: [harbour],
      total: 1,
      page: 1,
      pageSize: 12,
      nextCursor: null,
    }));
    await user.click(within(alert).getByRole('button', { name: 'Retry' }));
    expect(await cards()).toHaveLength(1);
  });

  it('shows a project that another user creates', async () => {
    const rows = [harbour];
    const { api, connected } = open(rows);
    await connected();
    rows.push(locks);
    api.publish({ type: 'project.changed', ids: [locks._id], count: 1, action: 'created', by: null });
    await waitFor(() => expect(names()).toEqual(['Harbour renewal', 'Locks']));
  });

  it('leads from /dashboard/projects to the dashboard and keeps the filters', async () => {
    const { router } = open([harbour, locks], { at: '/dashboard/projects?status=completed' });
    await waitFor(() => expect(names()).toEqual(['Locks']));
    expect(router.state.location.href).toBe('/dashboard?status=completed');
  });

  it('deletes from the menu of a card after a dialog, at once, and Undo restores it', async () => {
    const rows = [harbour, locks];
    const { user } = open(rows);
    const restored = counted(projects.restore, () => {
      rows.push(locks);
      return { success: true as const, restoredCount: 1, message: '1 project restored.' };
    });
    server.use(
      answer(projects.deletionPreview, () => ({
        assets: 12,
        dependencies: 1,
        relations: 0,
        threats: 3,
        vulnerabilities: 1,
      })),
      answer(projects.delete, () => {
        rows.pop();
        return { success: true as const, _id: locks._id, id: locks._id };
      }),
    );
    await cards();
    await user.click(screen.getByRole('button', { name: 'Actions for Locks' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete “Locks”?' });
    await within(dialog).findByText('12 assets');
    expect(
      within(dialog)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['12 assets', '1 dependency', '0 relations to threats and vulnerabilities']);
    expect(dialog.textContent).toContain('3 related threats and 1 related vulnerability');
    await user.click(within(dialog).getByRole('button', { name: 'Delete project' }));
    await screen.findByText('Project deleted');
    expect(names()).toEqual(['Harbour renewal']);
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await screen.findByText('Project restored');
    await waitFor(() => expect(names()).toEqual(['Harbour renewal', 'Locks']));
    expect(restored.times).toBe(1);
  });
});
