import { accounts, activity, type ActivityEntry, type Facets, type User } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { fakeApi, pageOf } from '../../testing/fake-api.ts';
import { visit } from '../../testing/render-app.tsx';
import { entryOf, newId, userOf } from '../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../testing/server.ts';

useServer();

const ada = newId();

const none = { values: [], more: false };
const facets: Facets['facets'] = {
  noun: {
    values: [
      { value: 'reports', count: 2 },
      { value: 'jobs', count: 1 },
    ],
    more: false,
  },
  action: {
    values: [
      { value: 'report.uploaded', count: 2 },
      { value: 'job.cancelled', count: 1 },
    ],
    more: false,
  },
  actorId: { values: [{ value: ada, label: 'Ada Lovelace <ada@example.org>', count: 3 }], more: false },
  address: { values: [{ value: '192.0.2.7', count: 3 }], more: false },
};

/** Answers the log with these entries. Returns the requested URLs of the list. */
function answerLog(
  entries: readonly ActivityEntry[],
  change: { searchedSince?: string; user?: Partial<User> } = {},
) {
  const requested: URL[] = [];
  fakeApi();
  server.use(
    answer(accounts.me, () => ({ user: userOf(change.user) })),
    answer(activity.list, ({ url }) => {
      requested.push(url);
      const { rows, ...page } = pageOf(entries, url);
      return { activity: rows, searchedSince: change.searchedSince ?? null, ...page };
    }),
    answer(activity.facets, ({ url }) => {
      const wanted = url.searchParams.getAll('field');
      return { facets: Object.fromEntries(wanted.map((name) => [name, facets[name] ?? none])) };
    }),
  );
  return requested;
}

const edit = entryOf({
  action: 'vulnerability.updated',
  noun: 'vulnerabilities',
  name: 'Log4Shell',
  via: 'token',
  detail: { changes: { severity: { from: 7.5, to: 10 }, owner: { from: null, to: 'Ben' } } },
});

type Visit = ReturnType<typeof visit>;

/** Opens the filter of one field. */
async function openFilter(user: Visit['user'], field: string) {
  await user.click(await screen.findByRole('button', { name: 'Filter' }));
  const fields = within(await screen.findByRole('list', { name: 'Fields' }));
  await user.click(fields.getByRole('button', { name: new RegExp(`^${field}`, 'u') }));
}

async function choose(user: Visit['user'], field: string, value: string) {
  await openFilter(user, field);
  await user.click(await screen.findByRole('checkbox', { name: value }));
  await user.keyboard('{Escape}');
}

describe('the activity page', () => {
  it('shows the person, action, object and address of each entry, with a link when the object has a page', async () => {
    const upload = entryOf({ detail: { size: 2048 } });
    const deletion = entryOf({ action: 'report.deleted', name: 'old.xml' });
    answerLog([upload, deletion]);
    visit('/dashboard/activity');
    const row = await screen.findByRole('row', { name: /uploaded apt1\.xml \(2 KB\)/u });
    expect(row.textContent).toMatch(/Ada Lovelace.*192\.0\.2\.7/u);
    const link = within(row).getByRole('link', { name: 'apt1.xml' });
    expect(link.getAttribute('href')).toBe(`/dashboard/reports/${upload.nounId}`);
    const deleted = screen.getByRole('row', { name: /deleted old\.xml/u });
    expect(within(deleted).queryByRole('link')).toBeNull();
  });

  it('shows values before and after an edit, and that an API token made it', async () => {
    answerLog([edit]);
    visit('/dashboard/activity');
    const row = await screen.findByRole('row', { name: /updated the vulnerability Log4Shell/u });
    const lines = within(within(row).getByRole('list', { name: 'Changes' })).getAllByRole('listitem');
    expect(lines.map((line) => line.textContent)).toEqual(['Severityfrom7.5to10.0', 'OwnerfromemptytoBen']);
    expect(row.textContent).toContain('API token');
  });

  it('has no column of IP addresses for users who are not owners', async () => {
    answerLog([entryOf({ address: '' })], { user: { role: 'viewer' } });
    visit('/dashboard/activity');
    expect(await screen.findByText(/Owners also see logins/u)).toBeTruthy();
    await screen.findByRole('row', { name: /uploaded/u });
    expect(screen.queryByRole('columnheader', { name: 'IP address' })).toBeNull();
  });

  it('offers users who are not owners no filter for IP addresses or owner-only areas', async () => {
    answerLog([entryOf({ address: '' })], { user: { role: 'analyst' } });
    const { user } = visit('/dashboard/activity');
    await user.click(await screen.findByRole('button', { name: 'Filter' }));
    expect(screen.queryByRole('button', { name: 'IP address' })).toBeNull();
    await user.click(await screen.findByRole('button', { name: 'Area' }));
    await screen.findByRole('checkbox', { name: 'Reports' });
    expect(screen.queryByRole('checkbox', { name: 'Accounts' })).toBeNull();
  });

  it('keeps every filter in the URL and sends it to the API', async () => {
    const requested = answerLog([edit]);
    const { user, router } = visit('/dashboard/activity?page=2');
    await choose(user, 'Person', 'Ada Lovelace <ada@example.org>');
    await choose(user, 'Area', 'Jobs');
    await choose(user, 'Action', 'Job cancelled');
    await choose(user, 'IP address', '192.0.2.7');
    await openFilter(user, 'When');
    await user.type(await screen.findByLabelText('From'), '2026-11-01');
    await user.type(screen.getByLabelText('Until'), '2026-11-20{Enter}');
    await user.keyboard('{Escape}');
    await user.type(screen.getByRole('searchbox', { name: 'Search activity' }), 'apt{Enter}');
    await waitFor(() =>
      expect(router.state.location.search).toEqual({
        actorId: ada,
        noun: 'jobs',
        action: 'job.cancelled',
        address: '192.0.2.7',
        atMin: '2026-11-01',
        atMax: '2026-11-20',
        search: 'apt',
      }),
    );
    await waitFor(() =>
      expect(Object.fromEntries(requested.at(-1)?.searchParams ?? [])).toMatchObject({
        actorId: ada,
        noun: 'jobs',
        action: 'job.cancelled',
        address: '192.0.2.7',
        atMin: new Date(2026, 10, 1).toISOString(),
        atMax: new Date(2026, 10, 20, 23, 59, 59, 999).toISOString(),
        search: 'apt',
        page: '1',
      }),
    );
  });

  it('shows the counts of filter values and the names of people', async () => {
    answerLog([edit]);
    const { user } = visit(`/dashboard/activity?actorId=${ada}`);
    await screen.findByRole('button', { name: 'Remove filter Person: Ada Lovelace' });
    await openFilter(user, 'Action');
    const values = within(await screen.findByRole('list', { name: 'Values of Action' }));
    await values.findByText('Report uploaded');
    expect(values.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'Report uploaded2',
      'Job cancelled1',
    ]);
  });

  it('ignores an actor id in the URL that is not a valid id', async () => {
    const requested = answerLog([edit]);
    visit('/dashboard/activity?actorId=ada');
    await screen.findByRole('row', { name: /Log4Shell/u });
    expect(requested[0]?.searchParams.has('actorId')).toBe(false);
  });

  it('filters by one object from the URL, and removes that filter', async () => {
    const requested = answerLog([edit]);
    const { user, router } = visit(`/dashboard/activity?nounId=${edit.nounId}`);
    await user.click(await screen.findByRole('button', { name: 'Remove filter Object: Log4Shell' }));
    expect(requested.map((url) => url.searchParams.get('nounId'))).toContain(edit.nounId);
    await waitFor(() => expect(router.state.location.search).toEqual({}));
  });

  it('shows an empty result and clears every filter', async () => {
    answerLog([]);
    const { user, router } = visit('/dashboard/activity?noun=jobs&atMin=2026-11-01&search=apt');
    expect(await screen.findByText('No activity found.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    await waitFor(() => expect(router.state.location.search).toEqual({}));
  });

  it('shows how far back a search looked', async () => {
    answerLog([edit], { searchedSince: '2026-10-05T12:00:00.000Z' });
    visit('/dashboard/activity?search=log4');
    expect(await screen.findByText(/covers entries since Oct 5, 2026/u)).toBeTruthy();
  });

  it('shows that loading failed', async () => {
    answerLog([]);
    server.use(answer(activity.list, () => refusal('unavailable')));
    visit('/dashboard/activity');
    expect(within(await screen.findByRole('alert')).getByText('Failed to load activity.')).toBeTruthy();
  });

  it('exports the filtered log', async () => {
    answerLog([edit]);
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
      this: HTMLAnchorElement,
    ) {
      downloads.push(new URL(this.href));
    });
    const downloads: URL[] = [];
    const { user } = visit('/dashboard/activity?noun=jobs&search=apt');
    await screen.findByRole('row', { name: /Log4Shell/u });
    await user.click(screen.getByRole('button', { name: 'Export' }));
    await user.click(await screen.findByRole('menuitem', { name: '1 entry as CSV' }));
    await screen.findByText('Download started');
    clicked.mockRestore();
    // The export has a field for each part of a cell's sentence.
    expect(downloads.map(({ pathname, search }) => pathname + decodeURIComponent(search))).toEqual([
      '/api/activity/export?search=apt&noun=jobs&sort=-at&format=csv&columns=at,actorId,actor,via,action,noun,nounId,name,detail,address',
    ]);
  });
});
