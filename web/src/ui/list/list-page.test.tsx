import {
  accounts,
  reportFileList,
  reports,
  views,
  type Facets,
  type ReportFile,
  type SavedView,
} from '@riskboard/contract';
import { onlineManager, QueryClientProvider, useQuery } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router';
import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Suspense, useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createQueryClient } from '../../lib/api/query-client.ts';
import { pageOf } from '../../testing/fake-api.ts';
import { fileOf, newId, userOf } from '../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../testing/server.ts';
import { Toaster } from '../feedback/toaster.tsx';
import { defineListSource, type StateOf } from './define-list-source.ts';
import { defineListView } from './define-list-view.ts';
import type { HowChanged } from './list-control.ts';
import { ListPage } from './list-page.tsx';
import type { Selected } from './use-selection.ts';
import { stateOfCheckbox } from '../../testing/checkbox.ts';

useServer();

const sourceOf = (pageSizes: readonly number[]) =>
  defineListSource({
    route: '/dashboard/reports',
    noun: 'reports',
    list: reportFileList,
    calls: { list: reports.files, facets: reports.fileFacets, export: reports.fileExport },
    rows: (reply) => reply.files,
    pageSizes,
  });
const source = sourceOf([10, 50]);
type State = StateOf<typeof source>;

const viewOf = (from: typeof source) =>
  defineListView(from, {
    label: 'Files',
    nouns: { one: 'file', many: 'files' },
    row: { id: (file) => file._id, name: (file) => file.originalFilename },
    columns: [
      { field: 'originalFilename', rowHeader: true, cell: (file) => file.originalFilename },
      { field: 'stixVersion', cell: (file) => file.stixVersion },
      { field: 'threatCount', from: 'sm', cell: (file) => file.threatCount },
      { field: 'uploadDate', hidden: true, cell: (file) => file.uploadDate },
      { id: 'actions', label: 'Actions', hideLabel: true, last: true, cell: () => <button>More</button> },
    ],
    labels: { stixVersion: (value) => `STIX ${value}` },
    texts: { search: 'Search files', empty: 'No files found.', failure: 'Failed to load files.' },
  });
const view = viewOf(source);
const longView = viewOf(sourceOf([400]));

const facets: Facets['facets'] = {
  stixVersion: {
    values: [
      { value: '2.1', count: 20 },
      { value: '1.2', count: 4 },
      { value: 'N/A', count: 1 },
    ],
    more: false,
  },
  threatCount: { values: [], more: false, min: 0, max: 1699 },
};

let files: ReportFile[];
let saved: SavedView[];
let requested: URL[];

/** Answers the list like the API, but only records the filters. */
function answerLists(): void {
  server.use(
    answer(accounts.me, () => ({ user: userOf() })),
    answer(reports.files, ({ url }) => {
      requested.push(url);
      const text = url.searchParams.get('search') ?? '';
      const { rows, ...page } = pageOf(
        files.filter(({ originalFilename }) => originalFilename.includes(text)),
        url,
      );
      return { files: rows, ...page };
    }),
    answer(reports.fileFacets, ({ url }) => {
      requested.push(url);
      const names = url.searchParams.getAll('field');
      return { facets: Object.fromEntries(Object.entries(facets).filter(([name]) => names.includes(name))) };
    }),
    answer(views.list, () => ({ views: saved })),
  );
}

beforeEach(() => {
  files = Array.from({ length: 25 }, (_, n) => fileOf({ originalFilename: `report-${n + 1}.json` }));
  saved = [];
  requested = [];
  answerLists();
});

interface Change {
  shown?: typeof view;
  search?: Partial<State>;
  onOpen?: (file: ReportFile) => void;
}

function show({ shown = view, search: start, onOpen }: Change = {}) {
  const history: [State, HowChanged | undefined][] = [];
  let selected: Selected | undefined;
  const bulk = (now: Selected) => {
    selected = now;
    return <button onClick={now.clear}>Delete Selected ({now.count})</button>;
  };

  function Page() {
    const [search, setSearch] = useState<State>({ ...shown.initial, ...start });
    const query = useQuery(shown.query(search));
    return (
      <main tabIndex={-1}>
        <ListPage
          view={shown}
          query={query}
          search={search}
          onSearch={(next, how) => {
            history.push([next, how]);
            setSearch(next);
          }}
          onOpen={onOpen}
          bulk={bulk}
          empty={{ icon: null, description: 'Upload a report.' }}
        />
      </main>
    );
  }

  const queryClient = createQueryClient();
  queryClient.setDefaultOptions({ queries: { staleTime: 30_000, retry: false } });
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterContextProvider router={router as never}>
        <Toaster />
        <Suspense>
          <Page />
        </Suspense>
      </RouterContextProvider>
    </QueryClientProvider>,
  );
  return {
    user: userEvent.setup(),
    queryClient,
    history,
    now: () => history.at(-1)?.[0] ?? { ...source.initial, ...start },
    selection: () => selected?.selection,
  };
}

const row = (name: string) => screen.findByRole('row', { name: new RegExp(`${name}\\b`, 'u') });
const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
const listed = () =>
  requested.filter(({ pathname }) => pathname.endsWith('/files')).map(({ searchParams }) => searchParams);

describe('list page filters', () => {
  it('offers the values of a column with their counts and filters the list at once', async () => {
    const { user, now, history } = show({ search: { page: 2 } });
    await row('report-11.json');
    await user.click(screen.getByRole('button', { name: 'Filter STIX' }));
    const values = within(await screen.findByRole('list', { name: 'Values of STIX' }));
    expect(values.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'STIX 2.120',
      'STIX 1.24',
      'N/A1',
    ]);
    await user.click(values.getByRole('checkbox', { name: 'STIX 1.2' }));
    expect(now()).toMatchObject({ stixVersion: ['1.2'], page: 1 });
    expect(stateOfCheckbox(screen.getByRole('checkbox', { name: 'All' }))).toBe('mixed');
    await user.click(values.getByRole('checkbox', { name: 'N/A' }));
    expect(now()).toMatchObject({ stixVersion: ['1.2', 'N/A'] });
    // One step back undoes all changes of one panel.
    expect(history.map(([, how]) => how?.replace)).toEqual([false, true]);
    await waitFor(() => expect(listed().at(-1)?.getAll('stixVersion')).toEqual(['1.2', 'N/A']));
    await user.click(screen.getByRole('checkbox', { name: 'All' }));
    expect(now().stixVersion).toEqual(['2.1', '1.2', 'N/A']);
    await user.click(screen.getByRole('button', { name: 'Clear' }));
    expect(now().stixVersion).toBeUndefined();
  });

  it('counts the values of a column without the column’s own filter', async () => {
    const { user } = show({ search: { stixVersion: ['1.2'], threatCountMin: 3 } });
    await row('report-1.json');
    await user.click(screen.getByRole('button', { name: 'Filter STIX, set' }));
    await screen.findByRole('checkbox', { name: 'STIX 2.1' });
    const { searchParams } = requested.findLast(({ pathname }) => pathname.endsWith('/facets')) ?? {};
    expect(Object.fromEntries(searchParams ?? [])).toEqual({ field: 'stixVersion', threatCountMin: '3' });
  });

  it('accepts a range, shows the existing range, and shows invalid input', async () => {
    const { user, now } = show();
    await row('report-1.json');
    await user.click(screen.getByRole('button', { name: 'Filter Threats' }));
    await screen.findByText('Values from 0 to 1,699.');
    await user.type(screen.getByRole('textbox', { name: 'Min' }), '7');
    await waitFor(() => expect(now()).toMatchObject({ threatCountMin: 7 }));
    await user.type(screen.getByRole('textbox', { name: 'Max' }), '3');
    await screen.findByText('Min must not exceed max.');
    expect(now().threatCountMax).toBeUndefined();
    // Removing the chip also clears the input.
    await user.click(screen.getByRole('button', { name: 'Remove filter Threats: min 7' }));
    await waitFor(() => expect(now().threatCountMin).toBeUndefined());
  });

  it('applies a range whose filter is closed right after it was typed', async () => {
    const { user, now } = show();
    await row('report-1.json');
    await user.click(screen.getByRole('button', { name: 'Filter Threats' }));
    await user.type(await screen.findByRole('textbox', { name: 'Min' }), '7{Escape}');
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Min' })).toBeNull());
    await waitFor(() => expect(now()).toMatchObject({ threatCountMin: 7 }));
  });

  it('shows that the values failed to load, and loads them on Retry', async () => {
    // The values would be loaded after 500 ms, on a slow machine before they are refused below.
    vi.stubGlobal('requestIdleCallback', () => 0);
    vi.stubGlobal('cancelIdleCallback', () => undefined);
    const { user } = show();
    await row('report-1.json');
    server.use(answer(reports.fileFacets, () => refusal('unavailable')));
    await user.click(screen.getByRole('button', { name: 'Filter STIX' }));
    await screen.findByText('Failed to load the values.');
    answerLists();
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('checkbox', { name: 'STIX 2.1' })).toBeTruthy();
  });

  it('offers every field, including those without a visible column', async () => {
    const { user, now } = show();
    await row('report-1.json');
    await user.click(screen.getByRole('button', { name: 'Filter' }));
    const fields = within(await screen.findByRole('list', { name: 'Fields' }));
    await user.click(fields.getByRole('button', { name: 'State' }));
    await user.click(await screen.findByRole('checkbox', { name: 'failed' }));
    expect(now().parseState).toEqual(['failed']);
    await user.click(screen.getByRole('button', { name: 'Back to all fields' }));
    expect(await screen.findByRole('button', { name: 'State set' })).toBeTruthy();
  });

  it('shows active filters as chips with the matching count, and clears them', async () => {
    const { user, now } = show({ search: { search: 'report-2', stixVersion: ['2.1'], threatCountMax: 9 } });
    const active = within(await screen.findByRole('region', { name: 'Active filters' }));
    active.getByRole('button', { name: 'STIX: STIX 2.1' });
    expect(await active.findByText('7 of 25 files')).toBeTruthy();
    await user.click(active.getByRole('button', { name: 'Remove filter Threats: max 9' }));
    expect(now()).toMatchObject({ threatCountMax: undefined, stixVersion: ['2.1'], search: 'report-2' });
    expect(document.activeElement).toBe(active.getByRole('button', { name: 'Remove filter STIX: STIX 2.1' }));
    await user.click(active.getByRole('button', { name: 'Clear all' }));
    expect(now()).toMatchObject({ stixVersion: undefined, search: '' });
    expect(screen.queryByRole('region', { name: 'Active filters' })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Filter' }));
  });

  it('announces the rows when a filter changes, and not when a live update changes their number', async () => {
    const { user, queryClient } = show({ search: { threatCountMax: 9 } });
    await row('report-1.json');
    const announced = () =>
      [...document.querySelectorAll('[aria-live]')].map(({ textContent }) => textContent).filter(Boolean);
    files.push(fileOf({ originalFilename: 'report-26.json' }));
    await queryClient.invalidateQueries();
    await screen.findByText('1–10 of 26');
    expect(announced()).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Clear all' }));
    await waitFor(() => expect(announced()).toEqual(['1–10 of 26 files']));
  });

  it('offers all of a hundred values', async () => {
    const counted = Array.from({ length: 100 }, (_, n) => ({ value: `${n}`, count: 100 - n }));
    server.use(
      answer(reports.fileFacets, () => ({ facets: { stixVersion: { values: counted, more: true } } })),
    );
    const { user, now } = show();
    await row('report-1.json');
    await user.click(screen.getByRole('button', { name: 'Filter STIX' }));
    const values = within(await screen.findByRole('list', { name: 'Values of STIX' }));
    await waitFor(() => expect(values.getAllByRole('listitem')).toHaveLength(100));
    await user.click(screen.getByRole('checkbox', { name: 'All' }));
    expect(now().stixVersion).toHaveLength(100);
    await user.type(screen.getByRole('searchbox', { name: 'Search STIX' }), '99');
    expect(values.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['STIX 991']);
  });

  it('a column filter without matches stays open and can be changed', async () => {
    const { user, now } = show();
    await row('report-1.json');
    const failing = answer(reports.files, () => refusal('unavailable'));
    server.use(
      answer(reports.files, ({ url }) => {
        const { rows, ...page } = pageOf(url.searchParams.has('stixVersion') ? [] : files, url);
        return { files: rows, ...page };
      }),
    );
    await user.click(screen.getByRole('button', { name: 'Filter STIX' }));
    const values = within(await screen.findByRole('list', { name: 'Values of STIX' }));
    const box = values.getByRole('checkbox', { name: 'STIX 1.2' });
    await user.click(box);
    await screen.findByText('No files found.');
    expect(box.isConnected).toBe(true);
    expect(heads()).toEqual(['', 'Name', 'STIX', 'Threats', 'Actions']);
    const all = screen.getByRole('checkbox', { name: 'Select all rows on this page' });
    expect(all.matches(':disabled')).toBe(true);
    // A refused request keeps the filter open too.
    server.use(failing);
    await user.click(values.getByRole('checkbox', { name: 'N/A' }));
    await screen.findByText('Failed to load files.');
    expect(box.isConnected).toBe(true);
    answerLists();
    await user.click(screen.getByRole('button', { name: 'Clear' }));
    expect(now().stixVersion).toBeUndefined();
    expect(await row('report-1.json')).toBeTruthy();
    expect(box.isConnected).toBe(true);
  });

  it('an empty list has no toolbar and no table header', async () => {
    files = [];
    show();
    await screen.findByText('No files found.');
    expect(screen.queryByRole('table')).toBeNull();
    expect(screen.queryByRole('searchbox')).toBeNull();
    for (const name of ['Filter', 'Views', 'Columns', 'Export']) {
      expect(screen.queryByRole('button', { name })).toBeNull();
    }
  });

  it('an empty result names the filters and resets them', async () => {
    const { user, now } = show({ search: { search: 'nothing', stixVersion: ['2.1'] } });
    await screen.findByText('No files found.');
    screen.getByText('Nothing matches “nothing” with STIX: STIX 2.1.');
    screen.getByRole('searchbox');
    screen.getByRole('button', { name: 'Filter' });
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(now()).toMatchObject({ search: '', stixVersion: undefined });
    expect(await row('report-1.json')).toBeTruthy();
  });
});

describe('list page columns', () => {
  it('can be shown, hidden, moved and reset, and are stored', async () => {
    const { user } = show();
    await row('report-1.json');
    expect(heads()).toEqual(['', 'Name', 'STIX', 'Threats', 'Actions']);
    await user.click(screen.getByRole('button', { name: 'Columns' }));
    expect((await screen.findByRole('checkbox', { name: 'Name' })).matches(':disabled')).toBe(true);
    await user.click(screen.getByRole('checkbox', { name: 'Uploaded' }));
    await user.click(screen.getByRole('checkbox', { name: 'STIX' }));
    expect(heads()).toEqual(['', 'Name', 'Threats', 'Uploaded', 'Actions']);
    await user.click(screen.getByRole('button', { name: 'Move Uploaded up' }));
    expect(heads()).toEqual(['', 'Name', 'Uploaded', 'Threats', 'Actions']);
    await user.click(screen.getByRole('radio', { name: 'Compact' }));
    const kept: unknown = JSON.parse(
      localStorage.getItem(`riskboard.list.${userOf()._id}./dashboard/reports`) ?? '{}',
    );
    expect(kept).toEqual({
      order: ['originalFilename', 'stixVersion', 'uploadDate', 'threatCount', 'actions'],
      shown: { uploadDate: true, stixVersion: false },
      pinned: true,
      density: 'compact',
    });
    await user.click(screen.getByRole('button', { name: 'Reset columns' }));
    expect(heads()).toEqual(['', 'Name', 'STIX', 'Threats', 'Actions']);
  });

  it('that a narrow table hides are named in the menu, and those that the user ticks are always shown', async () => {
    const width = vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(356);
    const { user } = show();
    await row('report-1.json');
    const head = () => screen.getByRole('columnheader', { name: /Threats/u });
    const isAlways = () => !head().className.includes('hidden');
    expect(isAlways()).toBe(false);
    await user.click(screen.getByRole('button', { name: 'Columns' }));
    const tick = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Threats' });
    const notice = /^The table has no room for Threats\. Tick a column to show it/u;
    screen.getByText(notice);
    expect(tick.checked).toBe(false);
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'STIX' }).checked).toBe(true);
    await user.click(tick);
    expect(tick.checked).toBe(true);
    expect(isAlways()).toBe(true);
    expect(screen.queryByText(notice)).toBeNull();
    await user.click(tick);
    expect(screen.queryByRole('columnheader', { name: /Threats/u })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Reset columns' }));
    expect(isAlways()).toBe(false);
    screen.getByText(notice);
    width.mockRestore();
  });

  it('that have room are ticked without a notice', async () => {
    const width = vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(704);
    const { user } = show();
    await row('report-1.json');
    await user.click(screen.getByRole('button', { name: 'Columns' }));
    const tick = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Threats' });
    expect(tick.checked).toBe(true);
    expect(screen.queryByText(/has no room/u)).toBeNull();
    width.mockRestore();
  });

  it('are restored from the last visit', async () => {
    const layout = { order: [], shown: { stixVersion: false }, pinned: false, density: 'compact' };
    localStorage.setItem(`riskboard.list.${userOf()._id}./dashboard/reports`, JSON.stringify(layout));
    show();
    await row('report-1.json');
    expect(heads()).toEqual(['', 'Name', 'Threats', 'Actions']);
  });
});

describe('list page selection', () => {
  it('extends from the page to all matching rows, and ends when the filter changes', async () => {
    const { user, selection } = show({ search: { stixVersion: ['2.1'] } });
    await row('report-1.json');
    await user.click(screen.getByRole('checkbox', { name: 'Select all rows on this page' }));
    const bar = within(screen.getByRole('region', { name: 'Selected rows' }));
    bar.getByText('All 10 on this page are selected.');
    await user.click(bar.getByRole('button', { name: 'Select all 25 matching rows' }));
    // The button that had the focus is gone.
    expect(document.activeElement).toBe(bar.getByText('All 25 matching rows are selected.'));
    bar.getByRole('button', { name: 'Delete Selected (25)' });
    expect(selection()).toEqual({ filter: { stixVersion: ['2.1'] } });

    // One row less leaves the rest of the page selected.
    await user.click(screen.getByRole('checkbox', { name: 'Select report-3.json' }));
    bar.getByText('9 selected');
    expect(selection()).toHaveProperty('ids.length', 9);

    await user.click(screen.getByRole('checkbox', { name: 'Select report-3.json' }));
    await user.click(bar.getByRole('button', { name: 'Select all 25 matching rows' }));
    await user.click(screen.getByRole('button', { name: 'Remove filter STIX: STIX 2.1' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Selected rows' })).toBeNull());
  });

  describe('of a list whose rows were counted in part', () => {
    /** The list has 12,345 rows, which only `total=exact` counts. */
    function answerCapped(count: () => number | undefined | Promise<number> = () => 12_345): void {
      server.use(
        answer(reports.files, async ({ url }) => {
          requested.push(url);
          const { rows, ...page } = pageOf(files, url);
          if (url.searchParams.get('total') !== 'exact')
            return { files: rows, ...page, total: 10_000, totalIsCapped: true as const, nextCursor: 'next' };
          const total = await count();
          return total === undefined ? refusal('unavailable') : { files: rows, ...page, total };
        }),
      );
    }

    async function selectAll(change?: Change) {
      const shown = show(change);
      await row('report-1.json');
      await shown.user.click(screen.getByRole('checkbox', { name: 'Select all rows on this page' }));
      const bar = within(screen.getByRole('region', { name: 'Selected rows' }));
      await shown.user.click(bar.getByRole('button', { name: 'Select all 10,000+ matching rows' }));
      return { ...shown, bar };
    }

    it('counts all rows before an action can name their number', async () => {
      answerCapped();
      const { bar } = await selectAll();
      await bar.findByText('All 12,345 matching rows are selected.');
      expect(bar.getByRole('button', { name: 'Delete Selected (12345)' })).toBeDefined();
    });

    it('names no number of another filter while the rows are counted', async () => {
      const second = Promise.withResolvers<number>();
      let counts = 0;
      answerCapped(() => {
        counts += 1;
        return counts === 1 ? 812_345 : second.promise;
      });
      const { bar, user } = await selectAll({ search: { stixVersion: ['2.1'] } });
      await bar.findByText('All 812,345 matching rows are selected.');
      await user.click(screen.getByRole('button', { name: 'Remove filter STIX: STIX 2.1' }));
      await waitFor(() => expect(screen.queryByRole('region', { name: 'Selected rows' })).toBeNull());

      await user.click(screen.getByRole('checkbox', { name: 'Select all rows on this page' }));
      const again = within(screen.getByRole('region', { name: 'Selected rows' }));
      await user.click(again.getByRole('button', { name: 'Select all 10,000+ matching rows' }));
      again.getByText('Counting all matching rows…');
      expect(again.queryByRole('button', { name: /Delete Selected/u })).toBeNull();
      second.resolve(12_345);
      await again.findByRole('button', { name: 'Delete Selected (12345)' });
    });

    it('offers no action while the rows are not counted, and counts them again', async () => {
      let total: number | undefined;
      answerCapped(() => total);
      const { bar, user } = await selectAll();
      await bar.findByText('The matching rows could not be counted.');
      expect(bar.queryByRole('button', { name: /Delete Selected/u })).toBeNull();
      total = 12_345;
      await user.click(bar.getByRole('button', { name: 'Retry' }));
      await bar.findByRole('button', { name: 'Delete Selected (12345)' });
    });

    it('goes back to the counted pages from a page that does not exist', async () => {
      answerCapped();
      const { history } = show({ search: { page: 5000 } });
      await waitFor(() => expect(history.at(-1)?.[0].page).toBe(1000));
    });
  });

  it('is kept across pages and searches, and can be cleared', async () => {
    const { user } = show();
    await user.click(await screen.findByRole('checkbox', { name: 'Select report-2.json' }));
    await user.click(screen.getByRole('button', { name: 'Page 2' }));
    await user.click(await screen.findByRole('checkbox', { name: 'Select report-12.json' }));
    screen.getByRole('button', { name: 'Delete Selected (2)' });
    await user.click(screen.getByRole('button', { name: 'Clear selection' }));
    expect(screen.queryByRole('button', { name: /Delete Selected/u })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('main'));
  });
});

describe('list page keys', () => {
  it('move between rows, select and open them, but not while the user types', async () => {
    const opened = vi.fn<(name: string) => void>();
    const { user } = show({ onOpen: (file) => opened(file.originalFilename) });
    await row('report-1.json');
    await user.keyboard('jjk');
    expect(document.activeElement).toBe(await row('report-1.json'));
    await user.keyboard('x');
    screen.getByRole('button', { name: 'Delete Selected (1)' });
    await user.keyboard('{Enter}');
    expect(opened).toHaveBeenLastCalledWith('report-1.json');

    await user.keyboard('/jx');
    expect(screen.getByRole('searchbox', { name: 'Search files' })).toHaveProperty('value', 'jx');
    screen.getByRole('button', { name: 'Delete Selected (1)' });
  });

  it('a click opens a row, but a click on its controls does not', async () => {
    const opened = vi.fn<(name: string) => void>();
    const { user } = show({ onOpen: (file) => opened(file.originalFilename) });
    const second = within(await row('report-2.json'));
    await user.click(second.getByRole('checkbox'));
    await user.click(second.getByRole('button', { name: 'More' }));
    expect(opened).not.toHaveBeenCalled();
    await user.click(second.getByRole('rowheader'));
    expect(opened).toHaveBeenCalledWith('report-2.json');
  });
});

describe('list page saved views', () => {
  const savedOf = (change: Partial<SavedView> = {}): SavedView => ({
    _id: newId(),
    list: '/dashboard/reports',
    name: 'Old formats',
    search: { stixVersion: ['1.2'], sort: 'size', columns: ['originalFilename', 'uploadDate', 'actions'] },
    isDefault: false,
    own: true,
    owner: 'Ada',
    createdAt: '2026-11-21T00:00:00.000Z',
    ...change,
  });

  it('open from the menu with their filters and columns, and show when the list differs from them', async () => {
    const old = savedOf();
    saved = [old];
    const { user, now } = show();
    await row('report-1.json');
    await user.click(await screen.findByRole('button', { name: 'Views' }));
    await user.click(await screen.findByRole('menuitemradio', { name: 'Old formats' }));
    expect(now()).toMatchObject({ view: old._id, stixVersion: ['1.2'], sort: 'size' });
    await screen.findByRole('button', { name: 'View: Old formats' });
    expect(heads()).toEqual(['', 'Name', 'Uploaded', 'Actions']);
    await user.click(screen.getByRole('button', { name: 'Remove filter STIX: STIX 1.2' }));
    expect(await screen.findByRole('button', { name: 'View: Old formats, changed' })).toBeTruthy();
  });

  it('are applied when the URL contains only their id', async () => {
    const old = savedOf({ own: false });
    saved = [old];
    const { now, history } = show({ search: { view: old._id } });
    await waitFor(() => expect(now()).toMatchObject({ view: old._id, stixVersion: ['1.2'] }));
    expect(history[0]?.[1]).toEqual({ replace: true });
  });

  it('open by default only when the URL has no search parameters', async () => {
    saved = [savedOf({ isDefault: true })];
    const { user, now } = show();
    await waitFor(() => expect(now()).toMatchObject({ stixVersion: ['1.2'] }));
    await user.click(await screen.findByRole('button', { name: 'Clear all' }));
    await row('report-1.json');
    expect(now()).toMatchObject({ stixVersion: undefined, view: undefined });
  });

  it('are left for the whole list, which the URL asks for while there is a default view', async () => {
    saved = [savedOf({ isDefault: true })];
    const { user, now } = show();
    await user.click(await screen.findByRole('button', { name: 'View: Old formats' }));
    await user.click(await screen.findByRole('menuitemradio', { name: /^All / }));
    await waitFor(() => expect(now()).toMatchObject({ view: 'none' }));
    await row('report-1.json');
    await user.type(screen.getByRole('searchbox'), 'report');
    await waitFor(() => expect(now()).toMatchObject({ search: 'report', view: undefined }));
  });

  it('do not open by default when the URL asks for the whole list', async () => {
    saved = [savedOf({ isDefault: true })];
    const { now, history } = show({ search: { view: 'none' } });
    await row('report-1.json');
    await screen.findByRole('button', { name: 'Views' });
    await waitFor(() => expect(screen.queryByText(/no longer exists/u)).toBeNull());
    expect([now().view, history]).toEqual(['none', []]);
  });

  it('that become the default while the whole list is open do not replace it, also after Back', async () => {
    const { queryClient, history } = show();
    await row('report-1.json');
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    saved = [savedOf({ isDefault: true })];
    await queryClient.invalidateQueries({ queryKey: ['views'] });
    await waitFor(() => expect(history.at(-1)).toMatchObject([{ view: 'none' }, { replace: true }]));
    expect(history).toHaveLength(1);
  });

  it('show which of their columns and filters no longer exist', async () => {
    saved = [savedOf({ search: { columns: ['originalFilename', 'colour'] } })];
    show({ search: { view: saved[0]?._id } });
    const notice = '“Old formats” contains unknown columns or filters: colour. They are ignored.';
    expect(await screen.findByText(notice)).toBeTruthy();
  });

  it('show a message when the view in the URL does not exist', async () => {
    show({ search: { view: newId() } });
    const notice = 'This view no longer exists or belongs to another organization.';
    expect(await screen.findByText(notice)).toBeTruthy();
  });

  it('are saved with a name, and a refusal is shown at the name', async () => {
    const { user, now } = show({ search: { threatCountMin: 5 } });
    await row('report-1.json');
    const sent = vi.fn<(body: unknown) => void>();
    server.use(answer(views.create, () => refusal('conflict', 'A view of this name exists.')));
    await user.click(await screen.findByRole('button', { name: 'Views' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Save as a new view…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Save view' }));
    await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'Many threats');
    await user.click(dialog.getByRole('button', { name: 'Save view' }));
    await dialog.findByText('A view of this name exists.');

    const made = savedOf({ name: 'Many threats', search: {} });
    server.use(
      answer(views.create, async ({ request }) => {
        sent(await request.json());
        saved = [made];
        return made;
      }),
    );
    await user.click(dialog.getByRole('checkbox', { name: 'Open this view by default' }));
    await user.click(dialog.getByRole('button', { name: 'Save view' }));
    await waitFor(() => expect(now().view).toBe(made._id));
    expect(sent).toHaveBeenCalledWith({
      list: '/dashboard/reports',
      name: 'Many threats',
      isDefault: true,
      search: {
        threatCountMin: 5,
        sort: '-uploadDate',
        columns: ['originalFilename', 'stixVersion', 'threatCount', 'actions'],
        pinned: true,
        density: 'comfortable',
      },
    });
  });

  it('are renamed by their owner, with a refusal at the name, and the focus returns to the menu', async () => {
    const old = savedOf();
    saved = [old];
    const { user, now } = show({ search: { view: old._id } });
    await waitFor(() => expect(now()).toMatchObject({ stixVersion: ['1.2'] }));
    server.use(answer(views.update, () => refusal('conflict', 'This view does not exist.')));
    await user.click(await screen.findByRole('button', { name: 'View: Old formats' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Rename…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Rename view' }));
    const name = dialog.getByRole<HTMLInputElement>('textbox', { name: 'Name' });
    const rename = dialog.getByRole('button', { name: 'Rename' });
    expect([name.value, name.maxLength]).toEqual(['Old formats', 100]);
    expect(rename.getAttribute('aria-disabled')).toBe('true');
    await user.clear(name);
    await user.type(name, ' STIX 1.2 ');
    await user.click(rename);
    await dialog.findByText('This view does not exist.');

    const sent = vi.fn<(body: unknown) => void>();
    server.use(
      answer(views.update, async ({ request }) => {
        sent(await request.json());
        saved = [{ ...old, name: 'STIX 1.2' }];
        return { ...old, name: 'STIX 1.2' };
      }),
    );
    await user.click(rename);
    await screen.findByText('View renamed');
    expect(sent).toHaveBeenCalledWith({ name: 'STIX 1.2' });
    const menu = await screen.findByRole('button', { name: 'View: STIX 1.2' });
    await waitFor(() => expect(document.activeElement).toBe(menu));
    expect(now()).toMatchObject({ view: old._id, stixVersion: ['1.2'] });
  });

  it('that were deleted elsewhere leave the menu when it opens', async () => {
    const old = savedOf();
    saved = [old, savedOf({ name: 'Large files' })];
    const { user, now } = show({ search: { view: old._id } });
    await waitFor(() => expect(now()).toMatchObject({ stixVersion: ['1.2'] }));
    const menu = await screen.findByRole('button', { name: 'View: Old formats' });
    saved = saved.slice(1);
    await user.click(menu);
    await screen.findByRole('menuitemradio', { name: 'Large files' });
    await waitFor(() => expect(screen.queryByRole('menuitemradio', { name: 'Old formats' })).toBeNull());
    expect(screen.queryByRole('menuitem', { name: 'Delete view' })).toBeNull();
    await screen.findByText('This view no longer exists or belongs to another organization.');
  });

  it('that were deleted elsewhere leave the menu when a change of them is refused', async () => {
    const old = savedOf();
    saved = [old];
    const { user, now } = show({ search: { view: old._id } });
    await waitFor(() => expect(now()).toMatchObject({ stixVersion: ['1.2'] }));
    await user.click(await screen.findByRole('button', { name: 'View: Old formats' }));
    const item = await screen.findByRole('menuitem', { name: 'Open by default' });
    server.use(
      answer(views.update, () => {
        saved = [];
        return refusal('not_found', 'This view does not exist.');
      }),
    );
    await user.click(item);
    await screen.findByText('This view does not exist.');
    await screen.findByRole('button', { name: 'Views' });
  });

  it('of another member cannot be renamed', async () => {
    const old = savedOf({ own: false });
    saved = [old];
    const { user } = show({ search: { view: old._id } });
    await user.click(await screen.findByRole('button', { name: 'View: Old formats' }));
    await screen.findByRole('menuitem', { name: 'Copy link' });
    expect(screen.queryByRole('menuitem', { name: 'Rename…' })).toBeNull();
  });

  it('are deleted with Undo, which keeps their address', async () => {
    const old = savedOf();
    const sent = vi.fn<(body: unknown) => void>();
    saved = [old];
    const { user, now } = show({ search: { view: old._id } });
    await waitFor(() => expect(now()).toMatchObject({ stixVersion: ['1.2'] }));
    server.use(
      answer(views.delete, () => {
        saved = [];
        return { success: true as const, _id: old._id, id: old._id };
      }),
      answer(views.create, async ({ request }) => {
        sent(await request.json());
        saved = [old];
        return old;
      }),
    );
    await user.click(await screen.findByRole('button', { name: 'View: Old formats' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete view' }));
    await screen.findByText('View deleted');
    expect(now().view).toBeUndefined();
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(saved).toHaveLength(1));
    const { _id, list, name, search, isDefault } = old;
    expect(sent).toHaveBeenCalledWith({ _id, list, name, search, isDefault });
  });
});

describe('list page export', () => {
  it('contains the filtered list with the visible columns', async () => {
    const { user } = show({ search: { search: 'report-2', stixVersion: ['2.1'], sort: '-size' } });
    await row('report-2.json');
    const links: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
      links.push(this.href);
    });
    await user.click(screen.getByRole('button', { name: 'Export' }));
    await user.click(await screen.findByRole('menuitem', { name: '7 files as CSV' }));
    expect(await screen.findByText('Download started')).toBeTruthy();
    const { pathname, searchParams } = new URL(links[0] ?? '');
    expect(pathname).toBe('/api/reports/files/export');
    expect(Object.fromEntries(searchParams)).toEqual({
      search: 'report-2',
      stixVersion: '2.1',
      sort: '-size',
      format: 'csv',
      columns: 'originalFilename,stixVersion,threatCount',
    });
  });
});

describe('list page rows', () => {
  it('opens the last page when the page in the URL is beyond it', async () => {
    const { now, history } = show({ search: { page: 9 } });
    await row('report-25.json');
    expect(now().page).toBe(3);
    expect(history[0]?.[1]).toEqual({ replace: true });
  });

  it('keeps old rows when a refresh fails and shows their age', async () => {
    const { user, queryClient } = show();
    await row('report-1.json');
    server.use(answer(reports.files, () => refusal('unavailable')));
    await queryClient.refetchQueries({ queryKey: ['reports', 'list'] });
    await screen.findByText('Failed to load files.');
    screen.getByText('Updated just now.');
    await row('report-1.json');
    answerLists();
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(screen.queryByText('Failed to load files.')).toBeNull());
  });

  it('without a connection says that the rows are those of the previous page, without a time', async () => {
    const { user } = show();
    await row('report-1.json');
    const notice = /^The list still shows the previous page or filter/u;
    onlineManager.setOnline(false);
    try {
      await user.click(screen.getByRole('button', { name: 'Next page' }));
      await screen.findByText(notice);
      await row('report-1.json');
      expect(screen.queryByText(/^Updated/u)).toBeNull();
    } finally {
      onlineManager.setOnline(true);
    }
    await row('report-11.json');
    expect(screen.queryByText(notice)).toBeNull();
  });

  it('renders a long page partly and exposes its total number of rows', async () => {
    files = Array.from({ length: 400 }, (_, n) => fileOf({ originalFilename: `report-${n + 1}.json` }));
    show({ shown: longView });
    await row('report-1.json');
    await waitFor(() => expect(screen.getAllByRole('row').length).toBeLessThan(60));
    expect(screen.getByRole('table', { name: 'Files' }).getAttribute('aria-rowcount')).toBe('401');
    // The position of a row counts the header.
    expect(screen.getAllByRole('row')[0]?.getAttribute('aria-rowindex')).toBe('1');
    expect((await row('report-3.json')).getAttribute('aria-rowindex')).toBe('4');
  });
});
