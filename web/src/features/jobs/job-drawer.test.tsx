import { accounts, jobs } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fakeApi } from '../../testing/fake-api.ts';
import { extractResultOf, jobOf, newId, userOf } from '../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../testing/server.ts';
import { visit } from '../../testing/render-app.tsx';
import { jobDrawer } from '../../lib/jobs/job-drawer-state.ts';
import { jobGroups, jobsOf, mergeJobs } from './job-drawer.tsx';

useServer();

// The drawer's state is global and would leak into the next test.
afterEach(() => jobDrawer.set(false));

const started = '2026-11-20T10:00:00.000Z';

async function openDrawer() {
  const view = visit('/dashboard/jobs');
  await view.user.click(await screen.findByRole('button', { name: /^Background jobs/u }));
  return { ...view, drawer: await screen.findByRole('dialog', { name: 'Background jobs' }) };
}

describe('job drawer', () => {
  it('lists active and ended jobs with their counts', async () => {
    fakeApi({
      jobs: [
        jobOf({ fileName: 'waits.json' }),
        jobOf({
          kind: 'stix.extract',
          state: 'succeeded',
          fileName: 'done.json',
          startedAt: started,
          finishedAt: '2026-11-20T10:00:12.000Z',
          result: extractResultOf({ records: 10, created: 3, updated: 2, unchanged: 1, skipped: 4 }),
        }),
        jobOf({
          state: 'failed',
          fileName: 'torn.xml',
          error: { code: 'malformed', message: 'Line 3: no end.' },
        }),
      ],
    });
    const { drawer } = await openDrawer();
    within(await within(drawer).findByRole('region', { name: 'Queued' })).getByText('waits.json');
    const done = within(await within(drawer).findByRole('region', { name: 'Done' }));
    done.getByText('Extracted 6 of 10 records: 3 created, 2 updated, 1 unchanged, 4 skipped.');
    done.getByText(/took 12 s/u);
    const link = done.getByRole('link', { name: 'done.json' });
    expect(link.getAttribute('href')).toMatch(/^\/dashboard\/reports\/[0-9a-f-]{36}$/u);
    within(within(drawer).getByRole('region', { name: 'Failed' })).getByText('Line 3: no end.');
  });

  it('names the jobs of CSV imports in plain words, with their counts and a link to the import', async () => {
    const importId = newId();
    const csv = { fileId: null, fileName: 'inventory.csv', importId, state: 'succeeded' } as const;
    fakeApi({
      jobs: [
        jobOf({
          ...csv,
          kind: 'csv.import',
          result: { rows: 40, created: 30, updated: 6, unchanged: 3, failed: 1 },
        }),
        jobOf({ ...csv, kind: 'csv.undo', result: { records: 36, deleted: 30, restored: 5, kept: 1 } }),
      ],
    });
    const { drawer } = await openDrawer();
    const done = within(await within(drawer).findByRole('region', { name: 'Done' }));
    done.getByText('Import CSV file');
    done.getByText('Imported 40 rows: 30 created, 6 updated, 3 unchanged, 1 failed.');
    done.getByText('Undo CSV import');
    done.getByText('Undid the import: 30 deleted, 5 restored, 1 kept.');
    const links = done.getAllByRole('link', { name: 'inventory.csv' });
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      `/dashboard/imports/${importId}`,
      `/dashboard/imports/${importId}`,
    ]);
  });

  it('updates a job live and ignores older versions', async () => {
    const job = jobOf({ kind: 'stix.extract', fileName: 'apt29.json' });
    const api = fakeApi({ jobs: [job] });
    const { drawer } = await openDrawer();
    const at = (done: number, version: number) =>
      ({
        ...job,
        state: 'running',
        startedAt: started,
        version,
        progress: { phase: 'extracting threats', done, total: 200 },
      }) as const;
    api.publish({ type: 'job.updated', job: at(150, 5) });
    const running = await within(drawer).findByRole('region', { name: 'Running' });
    within(running).getByText('75%');
    within(running).getByText(/150 of 200 records/u);

    api.publish({ type: 'job.updated', job: at(50, 3) });
    await expect(waitFor(() => within(running).getByText('25%'), { timeout: 200 })).rejects.toThrow('25%');
    within(running).getByText('75%');

    const result = extractResultOf({ created: 200 });
    api.jobs = [{ ...at(200, 8), state: 'succeeded', finishedAt: started, result }];
    api.publish({
      type: 'job.updated',
      job: { ...at(200, 8), state: 'succeeded', finishedAt: started, result },
    });
    api.publish({ type: 'job.updated', job: at(199, 7) });
    const done = await within(drawer).findByRole('region', { name: 'Done' });
    within(done).getByText(/200 created/u);
    expect(within(drawer).queryByRole('region', { name: 'Running' })).toBeNull();
  });

  it('shows the number of active jobs on its button', async () => {
    const api = fakeApi({ jobs: [jobOf(), jobOf()] });
    visit('/dashboard/jobs');
    await screen.findByRole('button', { name: 'Background jobs: 2 active' });
    const [first] = api.jobs;
    if (first === undefined) throw new Error('no job');
    api.publish({ type: 'job.updated', job: { ...first, state: 'cancelled', version: 2 } });
    expect(await screen.findByRole('button', { name: 'Background jobs: 1 active' })).toBeTruthy();
  });

  it('cancels a running job and retries a failed job', async () => {
    const running = jobOf({ state: 'running', fileName: 'runs.json', startedAt: started });
    const failed = jobOf({ state: 'failed', fileName: 'torn.xml', error: { code: 'x', message: 'Torn.' } });
    fakeApi({ jobs: [running, failed] });
    const requested = vi.fn<(what: string) => void>();
    server.use(
      answer(jobs.cancel, ({ params }) => {
        requested(`cancel ${String(params['id'])}`);
        return { ...running, state: 'cancelled' as const, version: 2 };
      }),
      answer(jobs.retry, ({ params }) => {
        requested(`retry ${String(params['id'])}`);
        return HttpResponse.json({ jobId: failed._id, message: 'Retry started' }, { status: 202 });
      }),
    );
    const { user, drawer } = await openDrawer();
    await user.click(await within(drawer).findByRole('button', { name: 'Cancel runs.json' }));
    await waitFor(() => expect(within(drawer).queryByRole('region', { name: 'Running' })).toBeNull());
    await user.click(within(drawer).getByRole('button', { name: 'Retry torn.xml' }));
    await waitFor(() => expect(requested).toHaveBeenCalledTimes(2));
    expect(requested.mock.calls.flat()).toEqual([`cancel ${running._id}`, `retry ${failed._id}`]);
  });

  it('says who may cancel a job that only owners request', async () => {
    const refresh = jobOf({ kind: 'cwe.refresh', state: 'running', fileId: null, fileName: null });
    const read = jobOf({ state: 'running', fileName: 'runs.json', startedAt: started });
    fakeApi({ jobs: [refresh, read] });
    server.use(answer(accounts.me, () => ({ user: userOf({ role: 'analyst' }) })));
    const { drawer } = await openDrawer();
    const cancel = await within(drawer).findByRole('button', { name: 'Cancel job' });
    await waitFor(() => expect(cancel.getAttribute('aria-disabled')).toBe('true'));
    const other = within(drawer).getByRole('button', { name: 'Cancel runs.json' });
    expect(other.getAttribute('aria-disabled')).not.toBe('true');
  });

  it('shows why cancelling failed', async () => {
    fakeApi({ jobs: [jobOf({ state: 'running', fileName: 'runs.json', startedAt: started })] });
    server.use(answer(jobs.cancel, () => refusal('conflict', 'The job has ended.')));
    const { user, drawer } = await openDrawer();
    await user.click(await within(drawer).findByRole('button', { name: 'Cancel runs.json' }));
    expect(await screen.findByText('The job has ended.')).toBeTruthy();
  });
});

describe('mergeJobs', () => {
  it('keeps the newer version of a job from the live store or the history', () => {
    const older = jobOf({ state: 'running', version: 3 });
    const newer = { ...older, state: 'succeeded' as const, version: 7 };
    expect(mergeJobs([newer], [older])).toEqual([newer]);
    expect(mergeJobs([older], [newer])).toEqual([newer]);
  });

  it('sorts the most recently changed job first', () => {
    const old = jobOf({ createdAt: '2026-01-01T00:00:00.000Z' });
    const ended = jobOf({
      createdAt: '2025-01-01T00:00:00.000Z',
      finishedAt: '2026-06-01T00:00:00.000Z',
      state: 'failed',
    });
    expect(mergeJobs([old], [ended]).map((job) => job._id)).toEqual([ended._id, old._id]);
  });
});

describe('job groups', () => {
  it('contain every job state exactly once', () => {
    const states = (['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const).map((state) =>
      jobOf({ state }),
    );
    const found = jobGroups.flatMap((group) => jobsOf(group, states));
    expect(found).toHaveLength(states.length);
    expect(new Set(found).size).toBe(states.length);
  });
});
