import { jobs, reports, type ImportObject } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { fakeApi, pageOf } from '../../../testing/fake-api.ts';
import { extractResultOf, fileOf, importReportOf, jobOf } from '../../../testing/rows.ts';
import { answer, counted, refusal, server, useServer } from '../../../testing/server.ts';
import { visit } from '../../../testing/render-app.tsx';

useServer();

const objects: ImportObject[] = [
  {
    ordinal: 3,
    location: '/objects/3',
    type: 'indicator',
    stixId: 'indicator--1',
    outcome: 'unmapped',
    reason: 'Not extracted.',
  },
  {
    ordinal: 7,
    location: '/objects/7',
    type: 'vulnerability',
    stixId: null,
    outcome: 'failed',
    reason: 'No usable id.',
  },
];

function setUp(change: Parameters<typeof importReportOf>[0] = {}) {
  const file = fileOf({ originalFilename: 'apt29.json' });
  const api = fakeApi({ files: [file] });
  const report = importReportOf({ fileId: file._id, originalFilename: 'apt29.json', ...change });
  server.use(
    answer(reports.importReport, () => report),
    answer(reports.importObjects, ({ url }) => {
      const outcomes = url.searchParams.getAll('outcome');
      const found = objects.filter(({ outcome }) => outcomes.length === 0 || outcomes.includes(outcome));
      const { rows: items, ...page } = pageOf(found, url);
      return { items, ...page };
    }),
    answer(reports.importFacets, ({ params, url }) => {
      expect(params['id']).toBe(file._id);
      const values = {
        outcome: [
          { value: 'unmapped', count: 1 },
          { value: 'failed', count: 1 },
        ],
        type: [{ value: 'indicator', count: 1 }],
      };
      const requested = url.searchParams.getAll('field') as (keyof typeof values)[];
      return {
        facets: Object.fromEntries(requested.map((name) => [name, { values: values[name], more: false }])),
      };
    }),
  );
  return { api, file, address: `/dashboard/reports/${file._id}` };
}

describe('import report page', () => {
  it('shows totals that match their parts', async () => {
    const { address } = setUp();
    visit(address);
    const sum = await screen.findByRole('region', { name: 'objects in the file' });
    expect(sum.textContent).toContain('10objects in the file=6mapped+2not extracted+1failed+1superseded');
    within(sum).getByText('All objects accounted for');
    const records = screen.getByRole('region', { name: 'records found' });
    expect(records.textContent).toContain('7records found=4active+2revoked+1deprecated');
    within(records).getByText('All records accounted for');
    screen.getByRole('link', { name: '4 threats' });
  });

  it('says how many records the version removed', async () => {
    const { address } = setUp({ removed: { vulnerability: 6, threat: 1 } });
    visit(address);
    expect(await screen.findByText('7 records removed: no longer in this version.')).toBeDefined();
  });

  it('warns about parts that do not match the total', async () => {
    const { address } = setUp({ objects: 12 });
    visit(address);
    const sum = await screen.findByRole('region', { name: 'objects in the file' });
    expect(within(sum).getByText('The parts do not match: they total 10, not 12.')).toBeTruthy();
  });

  it('shows the outcome and the reason for each object type', async () => {
    const { address } = setUp();
    visit(address);
    const table = within(await screen.findByRole('table', { name: 'Objects by type' }));
    const cells = (name: RegExp) =>
      within(table.getByRole('row', { name }))
        .getAllByRole('cell')
        .map((cell) => cell.textContent);
    expect(cells(/^indicator/u)).toEqual(['2', '0', '2', '0', '0', 'Not extracted.']);
    expect(cells(/^All types/u)).toEqual(['10', '6', '2', '1', '1', '3 types']);
  });

  it('leaves out outcomes that no object type has', async () => {
    const { address } = setUp({
      byType: [{ type: 'malware', total: 7, mapped: 6, unmapped: 0, failed: 0, superseded: 1, reason: null }],
    });
    visit(address);
    const table = within(await screen.findByRole('table', { name: 'Objects by type' }));
    const heads = table.getAllByRole('columnheader').map((head) => head.textContent);
    expect(heads).toEqual(['Type', 'Objects', 'Mapped', 'Superseded', 'Reason']);
  });

  it('lists objects that were not imported, filtered by the outcome in the URL', async () => {
    const { address } = setUp();
    const { user, router } = visit(address);
    const table = () => within(screen.getByRole('table', { name: 'Objects not in the lists' }));
    await screen.findByRole('table', { name: 'Objects not in the lists' });
    expect(screen.getAllByRole('region', { name: 'Objects not in the lists' })).toHaveLength(1);
    await waitFor(() => table().getByRole('row', { name: /indicator--1/u }));
    table().getByRole('row', { name: /\/objects\/7 vulnerability Failed No usable id\. N\/A/u });
    await user.click(screen.getByRole('button', { name: 'Filter Outcome' }));
    const values = within(await screen.findByRole('list', { name: 'Values of Outcome' }));
    await values.findByText('Not extracted');
    expect(
      values
        .getAllByRole('listitem')
        .map((item) => item.textContent)
        .slice(0, 3),
    ).toEqual(['Not extracted1', 'Failed1', 'Revoked0']);
    await user.click(await screen.findByRole('checkbox', { name: 'Failed' }));
    await waitFor(() => expect(table().queryByRole('row', { name: /indicator--1/u })).toBeNull());
    expect(router.state.location.search).toEqual({ outcome: 'failed' });
  });

  it('exports the filtered objects of this file', async () => {
    const { address, file } = setUp();
    const downloads: URL[] = [];
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
      this: HTMLAnchorElement,
    ) {
      downloads.push(new URL(this.href));
    });
    const { user } = visit(`${address}?outcome=failed`);
    await screen.findByRole('row', { name: /No usable id/u });
    await user.click(screen.getByRole('button', { name: 'Export' }));
    await user.click(await screen.findByRole('menuitem', { name: '1 object as JSON' }));
    clicked.mockRestore();
    expect(downloads.map(({ pathname, search }) => pathname + decodeURIComponent(search))).toEqual([
      `/api/reports/files/${file._id}/import-report/export?outcome=failed&sort=location&format=json&columns=location,type,outcome,reason,stixId`,
    ]);
  });

  it('shows warnings with their count and first location', async () => {
    const { address } = setUp({
      warnings: [
        { code: 'nul', message: 'NUL characters were replaced.', location: '/objects/17', count: 3 },
      ],
    });
    visit(address);
    const warnings = within(await screen.findByRole('region', { name: 'Warnings' }));
    warnings.getByText('NUL characters were replaced.');
    warnings.getByText('/objects/17');
    expect(warnings.getByRole('listitem').textContent).toContain('3');
  });

  it('names no location of a warning that has none', async () => {
    const { address } = setUp({
      warnings: [{ code: 'nul', message: 'NUL characters were replaced.', location: '', count: 3 }],
    });
    visit(address);
    const warnings = within(await screen.findByRole('region', { name: 'Warnings' }));
    expect(warnings.getByRole('listitem').textContent).not.toContain('First at');
  });

  it('shows the outcome of each job of this file', async () => {
    const { api, file, address } = setUp();
    const result = extractResultOf({ created: 0, updated: 1, unchanged: 2, skipped: 3, records: 6 });
    api.jobs = [
      jobOf({ kind: 'stix.extract', state: 'succeeded', fileId: file._id, result }),
      jobOf({ state: 'failed', fileName: 'other.json', error: { code: 'x', message: 'Not of this file.' } }),
    ];
    visit(address);
    const history = within(await screen.findByRole('region', { name: 'History' }));
    await history.findByText(/: 1 updated, 2 unchanged, 3 skipped\.$/u);
    expect(history.queryByText('Not of this file.')).toBeNull();
  });

  it('shows an error with Retry when the report fails to load', async () => {
    const { address } = setUp();
    server.use(answer(reports.importReport, () => refusal('internal')));
    visit(address);
    expect(await screen.findByText('Failed to load the import report.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy();
  });

  it.each(['0199f000-0000-7000-8000-0000000000ff', 'no-uuid', 'a%2Fb', '0199f000?outcome=failed&page=3'])(
    'is plainly missing, with a link to all files, for the address %s',
    async (address) => {
      setUp();
      server.use(answer(reports.importReport, () => refusal('not_found')));
      const { user, router } = visit(`/dashboard/reports/${address}`);
      await screen.findByText('Report not found');
      screen.getByText('The address may be mistyped, or the report was deleted.');
      expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
      for (const name of ['History', 'Activity']) expect(screen.queryByRole('region', { name })).toBeNull();
      await user.click(screen.getByRole('link', { name: 'All files' }));
      await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard/reports'));
    },
  );

  it('shows name, error and actions of a file that could not be parsed', async () => {
    const { api, file, address } = setUp();
    const reason = 'Malformed JSON: a property name in double quotes is expected here (line 9, column 1)';
    api.files = [{ ...file, parseState: 'failed', parseError: reason }];
    api.jobs = [jobOf({ state: 'failed', fileId: file._id, fileName: 'apt29.json' })];
    server.use(answer(reports.importReport, () => refusal('conflict')));
    visit(address);
    expect(await screen.findByRole('heading', { level: 1, name: 'apt29.json' })).toBeTruthy();
    await screen.findByText('This report could not be read');
    expect(screen.getByText(reason)).toBeTruthy();
    expect(screen.getByText('Not readable')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Actions for apt29.json' })).toBeTruthy();
    expect(screen.queryByText('Failed to load the import report.')).toBeNull();
    const crumbs = screen.getByRole('navigation', { name: 'Breadcrumbs' });
    expect(crumbs.textContent).toContain('apt29.json');
  });

  it.each([
    ['jobs', jobs.list],
    ['file', reports.files],
  ] as const)(
    'of an unreadable file says that its %s could not be loaded, until Retry',
    async (_what, endpoint) => {
      const { api, file, address } = setUp();
      api.files = [{ ...file, parseState: 'failed', parseError: 'Empty' }];
      api.jobs = [jobOf({ state: 'failed', fileId: file._id, fileName: 'apt29.json' })];
      server.use(answer(reports.importReport, () => refusal('conflict')));
      const failing = answer(endpoint, () => refusal('invalid'));
      server.use(failing);
      const { user } = visit(address);
      await screen.findByText('Failed to load the state of the report');
      expect(screen.queryByText('This report is being read')).toBeNull();
      server.resetHandlers(...server.listHandlers().filter((handler) => handler !== failing));
      // The history shows the same error with a Retry of its own when the jobs are missing.
      const [retry] = screen.getAllByRole('button', { name: 'Retry' });
      await user.click(retry as HTMLElement);
      await screen.findByText('This report could not be read');
    },
  );

  it('shows that a file is still being parsed', async () => {
    const { api, file, address } = setUp();
    api.files = [{ ...file, parseState: 'running' }];
    api.jobs = [jobOf({ state: 'running', fileId: file._id, fileName: 'apt29.json' })];
    server.use(answer(reports.importReport, () => refusal('conflict')));
    visit(address);
    expect(await screen.findByText('This report is being read')).toBeTruthy();
  });

  it('leads to the list after its deletion and does not request the deleted report', async () => {
    const { api, file, address } = setUp();
    const { user, router } = visit(address);
    await user.click(await screen.findByRole('button', { name: 'Actions for apt29.json' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    const requests = counted(reports.importReport, () => refusal('not_found'));
    server.use(
      answer(reports.deleteFile, () => {
        api.files = [];
        return { success: true as const, _id: file._id, id: file._id };
      }),
    );
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('File deleted')).toBeTruthy();
    await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard/reports'));
    expect(await screen.findByText('No files found.')).toBeTruthy();
    expect(requests.times).toBe(0);
  });

  describe('of a report that another user changes while it is shown', () => {
    async function changed(code: 'conflict' | 'not_found', change: (set: ReturnType<typeof setUp>) => void) {
      const set = setUp();
      const shown = visit(set.address);
      await screen.findByRole('region', { name: 'objects in the file' });
      await shown.connected();
      change(set);
      server.use(answer(reports.importReport, () => refusal(code)));
      const action = code === 'conflict' ? 'updated' : 'deleted';
      set.api.publish({ type: 'file.changed', ids: [set.file._id], count: 1, action, by: null });
    }

    it('says that it was deleted', async () => {
      await changed('not_found', ({ api }) => {
        api.files = [];
      });
      expect(await screen.findByText('This report was deleted')).toBeTruthy();
      expect(screen.getByRole('link', { name: 'All files' })).toBeTruthy();
      expect(screen.queryByRole('region', { name: 'objects in the file' })).toBeNull();
    });

    it('shows why its new version could not be read, and no numbers of the replaced one', async () => {
      await changed('conflict', ({ api, file }) => {
        api.files = [{ ...file, parseState: 'failed', parseError: 'Malformed JSON.' }];
        api.jobs = [jobOf({ state: 'failed', fileId: file._id, fileName: 'apt29.json' })];
      });
      expect(await screen.findByText('This report could not be read')).toBeTruthy();
      expect(await screen.findByText('Malformed JSON.')).toBeTruthy();
      expect(screen.queryByRole('region', { name: 'objects in the file' })).toBeNull();
    });
  });
});
