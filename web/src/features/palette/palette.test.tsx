import {
  accounts,
  cwe,
  reports,
  search,
  threats,
  views,
  vignettes,
  vulnerabilities,
} from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { setSingleKeys } from '../../lib/browser/shortcuts.ts';
import { answerDashboard, answerSignedOut } from '../../testing/dashboard.ts';
import { stubSockets } from '../../testing/fake-socket.ts';
import { counted, refusal, useServer } from '../../testing/server.ts';
import { visit } from '../../testing/render-app.tsx';

useServer();
beforeEach(() => {
  stubSockets();
  sessionStorage.clear();
  setSingleKeys(true);
  answerDashboard();
});

const ids = ['0199f000-0000-7000-8000-00000000c001', '0199f000-0000-7000-8000-00000000c002'] as const;
const found = {
  groups: [
    {
      noun: 'vulnerabilities' as const,
      total: 1000,
      items: [{ _id: ids[0], title: 'Crane firmware', subtitle: 'CVE-2031-10001 · CWE-787' }],
    },
    {
      noun: 'threats' as const,
      total: 1,
      items: [{ _id: ids[1], title: 'Night Pilots', subtitle: 'T1566' }],
    },
    { noun: 'assets' as const, total: 1, items: [{ _id: ids[1], title: 'Crane', subtitle: 'Hardware' }] },
  ],
};

async function openPalette() {
  const { router, user } = visit('/dashboard');
  await screen.findByRole('heading', { name: 'Hello, Ada' });
  await user.keyboard('{Control>}k{/Control}');
  const box = await screen.findByRole('combobox', { name: 'Search pages, actions and records' });
  await waitFor(() => expect(document.activeElement).toBe(box));
  return { router, user, box };
}

const options = () => screen.getAllByRole('option').map((option) => option.textContent);
const active = () => screen.getAllByRole('option').find((option) => option.hasAttribute('data-highlighted'));

test('Ctrl+K opens and closes the palette; arrow keys and Enter open a page', async () => {
  const { router, user, box } = await openPalette();
  expect(box.getAttribute('aria-controls')).toBe(screen.getByRole('listbox').id);
  expect(within(screen.getByRole('group', { name: /Pages/u })).getAllByRole('option').length).toBeGreaterThan(
    4,
  );
  await waitFor(() => expect(active()?.textContent).toContain('Upload'));
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
  await waitFor(() => expect(active()?.textContent).toContain('New threat'));
  expect(box.getAttribute('aria-activedescendant')).toBe(active()?.id);
  await user.keyboard('{Control>}k{/Control}');
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());

  await user.click(screen.getByRole('button', { name: /^Search/u }));
  counted(search.everywhere, () => ({ groups: [] }));
  await user.type(await screen.findByRole('combobox'), 'jobs');
  await waitFor(() => expect(active()?.textContent).toContain('Jobs'));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard/jobs'));
  expect(screen.queryByRole('dialog', { name: 'Search and commands' })).toBeNull();
});

test.each([
  ['does not open while a dialog is open', '', 0],
  ['opens while a dialog is closing', 'data-closed', 1],
])('Ctrl+K %s', async (_, state, count) => {
  const { user } = visit('/dashboard');
  await screen.findByRole('heading', { name: 'Hello, Ada' });
  const box = document.createElement('div');
  box.innerHTML = `<div role="dialog" aria-label="Shown before" ${state}></div>`;
  document.body.append(box);
  try {
    await user.keyboard('{Control>}k{/Control}');
    await waitFor(() => expect(screen.queryAllByRole('combobox')).toHaveLength(count));
  } finally {
    box.remove();
  }
});

test('what is typed right after Ctrl+K is in the palette, and reaches no shortcut of the page', async () => {
  const { user } = visit('/dashboard');
  await screen.findByRole('heading', { name: 'Hello, Ada' });
  counted(search.everywhere, () => ({ groups: [] }));
  await user.keyboard('{Control>}k{/Control}cranx{Backspace}e?');
  const box = await screen.findByRole('combobox', { name: 'Search pages, actions and records' });
  await waitFor(() => expect(document.activeElement).toBe(box));
  await waitFor(() => expect(box).toHaveProperty('value', 'crane?'));
  await user.keyboard('!');
  expect(box).toHaveProperty('value', 'crane?!');
  expect(screen.queryByRole('dialog', { name: 'Keyboard shortcuts' })).toBeNull();

  await user.keyboard('{Control>}k{/Control}');
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
  await user.keyboard('{Control>}k{/Control}abc{Escape}?');
  expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeDefined();
  expect(screen.queryByRole('combobox')).toBeNull();
});

test('the palette finds records with totals, sends one request per search term, and links to one record or searches the list', async () => {
  const { router, user, box } = await openPalette();
  const requested = counted(search.everywhere, ({ url }) => {
    expect(url.searchParams.get('q')).toBe('cve-2031');
    return found;
  });
  await user.type(box, 'cve-2031 ');
  await screen.findByRole('option', { name: /Crane firmware/u });
  expect(requested.times).toBe(1);
  expect(options()).toEqual([
    'Crane firmwareCVE-2031-10001 · CWE-787',
    'Search Vulnerabilities for “cve-2031”',
    'Night PilotsT1566',
    'CraneHardware',
  ]);
  expect(screen.getAllByRole('status').map((one) => one.textContent)).toContain('4 results');
  counted(vulnerabilities.list, () => refusal('not_found'));
  counted(vulnerabilities.metrics, () => refusal('not_found'));
  await user.click(screen.getByRole('option', { name: /^Search Vulnerabilities/u }));
  await waitFor(() =>
    expect(router.state.location.href).toContain('/dashboard/vulnerabilities?search=cve-2031'),
  );

  counted(threats.get, () => refusal('not_found'));
  await user.keyboard('{Meta>}k{/Meta}');
  await user.type(await screen.findByRole('combobox', { name: /Search pages/u }), 'cve-2031');
  await user.click(await screen.findByRole('option', { name: /Night Pilots/u }));
  await waitFor(() => expect(router.state.location.pathname).toBe(`/dashboard/threats/${ids[1]}`));
});

test('Enter opens no record that was found for an earlier input, and none of it returns after clearing', async () => {
  const { router, user, box } = await openPalette();
  counted(threats.get, () => refusal('not_found'));
  const answers: (() => void)[] = [];
  const groups = (noun: string) => ({ groups: found.groups.filter((group) => group.noun === noun) });
  counted(search.everywhere, async ({ url }) => {
    if (url.searchParams.get('q') === 'T1') return groups('vulnerabilities');
    await new Promise<void>((resolve) => answers.push(resolve));
    return groups('threats');
  });
  await user.type(box, 'T1');
  await waitFor(() => expect(active()?.textContent).toContain('Crane firmware'));
  await user.type(box, '566{Enter}');
  await waitFor(() => expect(answers).toHaveLength(1));
  expect(active()?.textContent).toContain('Crane firmware');
  await user.keyboard('{Enter}');
  expect(router.state.location.pathname).toBe('/dashboard');

  await user.clear(box);
  // Longer than an input must be unchanged to be searched for.
  await new Promise((resolve) => setTimeout(resolve, 300));
  await user.type(box, 'T15');
  await waitFor(() => expect(answers).toHaveLength(2));
  expect(screen.queryByRole('option', { name: /Crane firmware/u })).toBeNull();
  answers[1]?.();
  await waitFor(() => expect(active()?.textContent).toContain('Night Pilots'));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(router.state.location.pathname).toBe(`/dashboard/threats/${ids[1]}`));
});

test.each(['10.0', 'true', '[1]'])(
  'the link to the list searches for the text %s as it is written',
  async (text) => {
    const { router, user, box } = await openPalette();
    const searched: (string | null)[] = [];
    counted(search.everywhere, () => found);
    counted(vulnerabilities.list, ({ url }) => {
      searched.push(url.searchParams.get('search'));
      return refusal('not_found');
    });
    counted(vulnerabilities.metrics, () => refusal('not_found'));
    await user.type(box, text.replace('[', '[['));
    await user.click(await screen.findByRole('option', { name: /^Search Vulnerabilities/u }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard/vulnerabilities'));
    await waitFor(() => expect(searched).toContain(text));
  },
);

describe('for an id that more records have than the palette shows, it', () => {
  const byId = { field: 'cwe' as const, values: ['CWE-79'], total: 66 };
  const items = [{ _id: ids[0], title: 'Crane firmware', subtitle: 'CWE-79' }];
  const group = { noun: 'vulnerabilities' as const, total: 66, items, byId };

  test('links to all of them by the filter of the id, in the whole list also of a reader with a default view', async () => {
    const { router, user, box } = await openPalette();
    counted(search.everywhere, () => ({ groups: [group] }));
    const view = {
      _id: ids[1],
      list: '/dashboard/vulnerabilities',
      name: 'Mine',
      search: { status: ['open'], search: 'crane' },
      isDefault: true,
      own: true,
      owner: 'Ada',
      createdAt: '2026-11-21T00:00:00.000Z',
    };
    const opened = counted(views.list, () => ({ views: [view] }));
    const requested: string[] = [];
    counted(vulnerabilities.list, ({ url }) => {
      const { searchParams } = url;
      requested.push(['cwe', 'search', 'status'].map((name) => searchParams.getAll(name).join()).join(' '));
      return { vulnerabilities: [], total: 0, page: 1, pageSize: 10, nextCursor: null };
    });
    counted(vulnerabilities.metrics, () => refusal('not_found'));
    await user.type(box, 'cwe 79');
    await screen.findByRole('option', { name: 'Show all 66 with CWE-79 in Vulnerabilities' });
    expect(screen.queryByRole('option', { name: /^Search/u })).toBeNull();
    await waitFor(() => expect(active()?.textContent).toBe('Crane firmwareCWE-79'));
    await user.keyboard('{ArrowDown}');
    await waitFor(() => expect(active()?.textContent).toBe('Show all 66 with CWE-79 in Vulnerabilities'));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard/vulnerabilities'));
    await waitFor(() => expect(opened.times).toBeGreaterThan(0));
    await screen.findByText(/Nothing matches/u);
    expect(router.state.location.href).toBe('/dashboard/vulnerabilities?cwe=CWE-79');
    expect(requested).toContain('CWE-79  ');
    expect(requested.filter((filters) => /crane|open/u.test(filters))).toEqual([]);
  });

  test.each([
    ['more records match', { ...group, total: 70 }, ['Show all 66 with CWE-79 in Vulnerabilities']],
    ['all with the id are shown', { ...group, byId: { ...byId, total: 1 } }, []],
  ])('offers the search of the list where %s', async (_, one, all) => {
    const { user, box } = await openPalette();
    counted(search.everywhere, () => ({ groups: [one] }));
    await user.type(box, 'xss');
    await screen.findByRole('option', { name: /^Search/u });
    expect(options()).toEqual(['Crane firmwareCWE-79', ...all, 'Search Vulnerabilities for “xss”']);
  });

  test('counts up to 1,000, and filters by each id that a number means', async () => {
    const { router, user, box } = await openPalette();
    const values = ['CAPEC-1059', 'T1059'];
    const capped = { ...group, noun: 'threats' as const, total: 1000 };
    counted(search.everywhere, () => ({
      groups: [{ ...capped, byId: { field: 'threatID' as const, values, total: 1000 } }],
    }));
    counted(threats.list, () => refusal('not_found'));
    counted(threats.metrics, () => refusal('not_found'));
    await user.type(box, '1059');
    await user.click(
      await screen.findByRole('option', { name: 'Show all 1,000+ with CAPEC-1059 or T1059 in Threats' }),
    );
    await waitFor(() => expect(router.state.location.search).toMatchObject({ threatID: values }));
  });
});

test('the palette lists pages before records for a word, and records first for an id', async () => {
  const { user, box } = await openPalette();
  counted(search.everywhere, () => found);
  await user.type(box, 'threat');
  await screen.findByRole('option', { name: /Night Pilots/u });
  expect(options()[0]).toContain('Threats');
  await user.clear(box);
  await user.type(box, 'T1');
  await waitFor(() => expect(options()[0]).toContain('Crane firmware'));
});

test('the palette opens the page of a CWE id, and finds vignettes by name', async () => {
  const { router, user, box } = await openPalette();
  counted(search.everywhere, () => ({ groups: [] }));
  counted(cwe.get, () => refusal('not_found'));
  await user.type(box, 'cwe-079');
  await waitFor(() => expect(active()?.textContent).toBe('CWE-79Weakness'));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard/weaknesses/79'));

  const time = '2026-11-20T10:00:00.000Z';
  const vignette = {
    _id: ids[0],
    id: ids[0],
    name: 'Medical device',
    scorecardName: 'Ward',
    origin: '',
    originalFilename: '',
    version: 1,
    ratedCells: 1,
    vulnerabilities: 0,
    createdAt: time,
    updatedAt: time,
  };
  counted(vignettes.get, () => refusal('not_found'));
  counted(vignettes.list, ({ url }) => {
    expect(url.searchParams.get('search')).toBe('medical');
    return { items: [vignette], total: 1, page: 1, pageSize: 5, nextCursor: null };
  });
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox', { name: /Search pages/u }), 'medical');
  await user.click(await screen.findByRole('option', { name: 'Medical deviceWard' }));
  await waitFor(() => expect(router.state.location.pathname).toBe(`/dashboard/reports/vignettes/${ids[0]}`));
});

test('the palette shows an empty result, and a failure with Retry', async () => {
  const { user, box } = await openPalette();
  counted(search.everywhere, () => ({ groups: [] }));
  await user.type(box, 'zzz');
  await screen.findByText('Nothing found for “zzz”.');
  counted(search.everywhere, () => refusal('not_found', 'Out of order'));
  await user.type(box, 'y');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Failed to search records. Out of order');
  counted(search.everywhere, () => found);
  await user.click(within(alert).getByRole('button', { name: 'Retry' }));
  await screen.findByRole('option', { name: /Night Pilots/u });
});

test('an action that the role does not allow is disabled and shows the reason', async () => {
  answerDashboard({ user: { role: 'viewer' } });
  const { router, user } = await openPalette();
  const option = await screen.findByRole('option', { name: /New vulnerability/u });
  await waitFor(() => expect(option.getAttribute('aria-disabled')).toBe('true'));
  expect(option.textContent).toContain('Requires the analyst role. You are a viewer.');
  await user.click(option);
  expect(router.state.location.pathname).toBe('/dashboard');
});

test('the palette runs actions: theme, upload, log out', async () => {
  const { router, user, box } = await openPalette();
  counted(search.everywhere, () => ({ groups: [] }));
  await user.type(box, 'dark');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(document.documentElement.dataset['theme']).toBe('dark'));
  await user.keyboard('{Control>}k{/Control}');
  await user.click(await screen.findByRole('option', { name: /Use the system/u }));
  expect(document.documentElement.dataset['theme']).toBeUndefined();

  counted(reports.files, () => ({ files: [], total: 0, page: 1, pageSize: 6, nextCursor: null }));
  await user.keyboard('{Control>}k{/Control}');
  await user.click(await screen.findByRole('option', { name: /Upload STIX/u }));
  await screen.findByRole('dialog', { name: 'Upload STIX/TAXII Report' });
  await waitFor(() => expect(screen.queryByRole('combobox', { name: /Search pages/u })).toBeNull());
  await user.keyboard('{Control>}k{/Control}');
  expect(screen.queryByRole('combobox', { name: /Search pages/u })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  counted(accounts.logout, () => {
    answerSignedOut();
    return { success: true as const };
  });
  await user.keyboard('{Control>}k{/Control}');
  await user.click(await screen.findByRole('option', { name: 'Log out' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
});

test('? lists the shortcuts of the page and disables single keys; g opens pages', async () => {
  const { router, user } = visit('/dashboard');
  await screen.findByRole('heading', { name: 'Hello, Ada' });
  await user.keyboard('?');
  const help = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  expect(within(help).getByRole('region', { name: 'Go to' }).textContent).toContain('Vulnerabilities');
  expect(within(help).queryByRole('region', { name: 'List' })).toBeNull();
  const everywhere = within(within(help).getByRole('region', { name: 'Everywhere' }));
  await user.click(within(help).getByRole('switch', { name: 'Single-key shortcuts' }));
  // Keys that other code handles stay enabled.
  expect(everywhere.getByText('Keyboard shortcuts').className).toContain('line-through');
  for (const label of ['Search records, pages and actions', 'Go to messages and their Undo'])
    expect(everywhere.getByText(label).className).not.toContain('line-through');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.keyboard('?gj');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(router.state.location.pathname).toBe('/dashboard');

  await user.keyboard('{Control>}k{/Control}');
  await user.click(await screen.findByRole('option', { name: /Keyboard shortcuts/u }));
  await user.click(await screen.findByRole('switch', { name: 'Single-key shortcuts' }));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.keyboard('gj');
  await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard/jobs'));
});
