import { jobs as contract } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { fakeApi } from '../../testing/fake-api.ts';
import { jobOf } from '../../testing/rows.ts';
import { answer, server, useServer } from '../../testing/server.ts';
import { visit } from '../../testing/render-app.tsx';

useServer();

const jobs = () => [
  jobOf({ state: 'failed', fileName: 'torn.xml', error: { code: 'malformed', message: 'Line 3: no end.' } }),
  jobOf({
    state: 'succeeded',
    fileName: 'done.json',
    startedAt: '2026-11-20T10:00:00.000Z',
    finishedAt: '2026-11-20T10:01:30.000Z',
  }),
  jobOf({ kind: 'stix.extract', state: 'succeeded', fileName: 'done.json' }),
];

describe('the jobs page', () => {
  it('shows the result and duration of each job', async () => {
    fakeApi({ jobs: jobs() });
    visit('/dashboard/jobs');
    const torn = await screen.findByRole('row', { name: /torn\.xml/u });
    expect(torn.textContent).toContain('Line 3: no end.');
    // The cell shows two lines of a long error.
    expect(within(torn).getAllByTitle(/Line 3: no end\./u)).not.toHaveLength(0);
    expect(screen.getByRole('row', { name: /done\.json ?Read report/u }).textContent).toContain('1 min 30 s');
  });

  it('shows no file for a job without one', async () => {
    fakeApi({ jobs: [jobOf({ kind: 'alerts.evaluate', state: 'succeeded', fileId: null, fileName: null })] });
    visit('/dashboard/jobs');
    const row = await screen.findByRole('row', { name: /Evaluate alert rules/u });
    expect(within(within(row).getByRole('rowheader')).getByText('N/A')).toBeDefined();
  });

  it('offers Undo of a deletion whose rows can be restored', async () => {
    const result = { matched: 9, changed: 9, unchanged: 0 };
    const deletion = { kind: 'records.delete', state: 'succeeded', fileId: null, fileName: null } as const;
    const undoable = jobOf({ ...deletion, result: { ...result, restorable: 'threats' } });
    fakeApi({ jobs: [undoable, jobOf({ ...deletion, result }), jobOf({ ...deletion, state: 'failed' })] });
    const undone: unknown[] = [];
    server.use(
      answer(contract.restore, ({ params }) => {
        undone.push(params['id']);
        return { success: true as const, restoredCount: 0, message: 'They were restored before.' };
      }),
    );
    const { user } = visit('/dashboard/jobs');
    await user.click(await screen.findByRole('button', { name: 'Undo: restore the deleted threats' }));
    expect(await screen.findByText('They were restored before.')).toBeDefined();
    expect(undone).toEqual([undoable._id]);
  });

  it('shows that a deletion was restored instead of Undo, also when another tab restored it', async () => {
    const deletion = jobOf({
      kind: 'records.delete',
      state: 'succeeded',
      fileId: null,
      fileName: null,
      result: { matched: 9, changed: 9, unchanged: 0, restorable: 'threats' },
    });
    const api = fakeApi({ jobs: [deletion] });
    visit('/dashboard/jobs');
    await screen.findByRole('button', { name: 'Undo: restore the deleted threats' });
    const restored = (count: number, isComplete: boolean, version: number) =>
      api.publish({
        type: 'job.updated',
        job: {
          ...deletion,
          version,
          result: {
            matched: 9,
            changed: 9,
            unchanged: 0,
            restorable: 'threats',
            restoration: { count, isComplete },
          },
        },
      });
    restored(7, false, deletion.version + 1);
    expect(await screen.findAllByText('Deleted 9 records, 7 restored.')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Undo: restore the deleted threats' })).toBeDefined();
    restored(9, true, deletion.version + 2);
    expect(await screen.findAllByText('Deleted 9 records, 9 restored.')).toBeDefined();
    expect(screen.queryByRole('button', { name: /^Undo/u })).toBeNull();
  });

  it('keeps its filters in the URL and shows the count of each filter value', async () => {
    const api = fakeApi({ jobs: jobs() });
    const { router, user } = visit('/dashboard/jobs');
    await screen.findByRole('row', { name: /torn\.xml/u });
    await user.click(screen.getByRole('button', { name: 'Filter State' }));
    const values = within(await screen.findByRole('list', { name: 'Values of State' }));
    await waitFor(() =>
      expect(values.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
        'Queued0',
        'Running0',
        'Done2',
        'Failed1',
        'Cancelled0',
      ]),
    );
    await user.click(values.getByRole('checkbox', { name: 'Failed' }));
    await waitFor(() => expect(screen.queryByRole('row', { name: /done\.json/u })).toBeNull());
    screen.getByRole('row', { name: /torn\.xml/u });
    expect(router.state.location.search).toEqual({ state: 'failed' });
    expect(api.requests.map(({ searchParams }) => searchParams.getAll('state'))).toContainEqual(['failed']);
  });

  it('requests the search term, range and sort order of the URL', async () => {
    const api = fakeApi({ jobs: jobs() });
    visit('/dashboard/jobs?search=torn&tookMin=60&sort=-took');
    await screen.findByRole('button', { name: 'Remove filter Duration (seconds): min 60' });
    await waitFor(() =>
      expect(
        api.requests.map(({ searchParams }) =>
          ['search', 'tookMin', 'sort'].map((name) => searchParams.get(name)).join(' '),
        ),
      ).toContain('torn 60 -took'),
    );
  });

  it('exports the visible columns, with result and error as separate fields', async () => {
    fakeApi({ jobs: jobs() });
    const { user } = visit('/dashboard/jobs?sort=kind');
    await screen.findByRole('row', { name: /torn\.xml/u });
    const links: URL[] = [];
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(
      this: HTMLAnchorElement,
    ) {
      links.push(new URL(this.href));
    });
    await user.click(screen.getByRole('button', { name: 'Export' }));
    await user.click(await screen.findByRole('menuitem', { name: '3 jobs as CSV' }));
    await screen.findByText('Download started');
    clicked.mockRestore();
    expect(links.map(({ pathname, search }) => pathname + decodeURIComponent(search))).toEqual([
      '/api/jobs/export?sort=kind&format=csv&columns=fileName,kind,state,result,error,took,createdAt',
    ]);
  });
});
