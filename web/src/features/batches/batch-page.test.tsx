import { accounts, type Batch, batches, type BatchFile } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { batchFileOf, batchOf, statesOf } from '../../testing/batches.ts';
import { fakeApi, pageOf } from '../../testing/fake-api.ts';
import { visit } from '../../testing/render-app.tsx';
import { userOf } from '../../testing/rows.ts';
import { answer, counted, refusal, server, useServer } from '../../testing/server.ts';

useServer();

/** An API with a batch and its files. */
function setUp(change: Partial<Batch> = {}, files: readonly BatchFile[] = []) {
  const api = { ...fakeApi(), batch: batchOf({ name: 'Feeds of May', ...change }) };
  server.use(
    answer(batches.list, ({ url }) => {
      const { rows, total, page, pageSize } = pageOf([api.batch], url);
      return { batches: rows, total, page, pageSize };
    }),
    answer(batches.files, ({ url }) => {
      const { rows, ...page } = pageOf(files, url);
      return { files: rows, ...page };
    }),
    answer(batches.filesFacets, () => ({ facets: {} })),
    answer(batches.get, ({ params }) => (params['id'] === api.batch._id ? api.batch : undefined)),
  );
  return api;
}

/** The page of a batch. */
function show(...args: Parameters<typeof setUp>) {
  const api = setUp(...args);
  return { api, ...visit(`/dashboard/batches/${api.batch._id}`) };
}

const main = () => within(screen.getByRole('main'));
const failedOnce: Partial<Batch> = {
  status: 'finished',
  files: 12,
  states: statesOf({ succeeded: 10, withIssues: 1, failed: 1 }),
  issues: 12,
  created: 30,
};

describe('the page of a batch', () => {
  it('shows its totals and state in words, and each file with its sentence', async () => {
    show({ status: 'finished', files: 2, states: statesOf({ succeeded: 1, withIssues: 1 }), issues: 12 }, [
      batchFileOf({ name: 'a.json' }),
      batchFileOf({ name: 'b.json', state: 'withIssues', issues: 12, skipped: 4 }),
    ]);
    const badge = await screen.findByText('Finished with 12 issues');
    expect(badge.className).toContain('text-warning');
    const totals = within(screen.getByRole('region', { name: 'Totals' }));
    expect(totals.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('100');
    const file = await screen.findByRole('row', { name: /b\.json/u });
    // Wide tables show it in a column, narrow ones below the name.
    const [state] = within(file).getAllByText('Succeeded with 12 issues');
    expect(state?.className).toContain('text-warning');
    expect(file.textContent).toContain('Read 8 objects: 2 created, 1 updated, 3 unchanged, 4 skipped.');
    expect(screen.queryByRole('button', { name: /Retry|Pause|Cancel all/u })).toBeNull();
  });

  it('that is over says how long its files were processed, without the time before a retry', async () => {
    const startedAt = '2026-11-20T10:00:00.000Z';
    const finishedAt = '2026-11-21T10:00:00.000Z';
    show({ ...failedOnce, startedAt, finishedAt, processingSeconds: 308.4 });
    await screen.findByText('processed in 5 min 08 s');
    expect(screen.queryByText(/24 h/u)).toBeNull();
  });

  it('that was cancelled says how many announced files were not received', async () => {
    show({
      status: 'cancelled',
      files: 5,
      planned: { files: 940, bytes: 9 },
      states: statesOf({ cancelled: 5 }),
    });
    expect(await screen.findByText('935 announced files were not received.')).toBeTruthy();
  });

  it('retries only what failed, and shows the running batch at once', async () => {
    const { api, user } = show(failedOnce);
    server.use(
      answer(batches.retry, () => {
        api.batch = {
          ...api.batch,
          status: 'running',
          states: statesOf({ succeeded: 10, withIssues: 1, queued: 1 }),
          retriable: 0,
        };
        return { batch: api.batch, retried: 1 };
      }),
    );
    await user.click(await screen.findByRole('button', { name: 'Retry 1 failed' }));
    await screen.findByText('1 file will be read again.');
    await waitFor(() => expect(screen.queryByRole('button', { name: /Retry/u })).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Pause' })));
  });

  it('shows why a retry was refused, and keeps the button', async () => {
    const { user } = show(failedOnce);
    server.use(
      answer(batches.retry, () => refusal('conflict', 'No failed file of this batch can be read again.')),
    );
    await user.click(await screen.findByRole('button', { name: 'Retry 1 failed' }));
    await screen.findByText('No failed file of this batch can be read again.');
    expect(screen.getByRole('button', { name: 'Retry 1 failed' })).toBeTruthy();
  });

  it('does not offer to retry what was refused, and says how many files that are', async () => {
    show({ ...failedOnce, states: statesOf({ succeeded: 5, failed: 7 }), retriable: 1 });
    await screen.findByRole('button', { name: 'Retry 1 failed' });
    const note = '6 failed files cannot be retried: refused at the upload, replaced or deleted.';
    expect(screen.getByText(note)).toBeTruthy();
  });

  it('pauses, resumes and cancels a running batch', async () => {
    const { api, user } = show({ status: 'running', files: 2, states: statesOf({ running: 1, queued: 1 }) });
    const pausedAt = '2026-11-20T10:05:00.000Z';
    server.use(
      answer(batches.pause, () => (api.batch = { ...api.batch, status: 'paused', pausedAt })),
      answer(batches.resume, () => (api.batch = { ...api.batch, status: 'running', pausedAt: null })),
      answer(batches.cancel, () => {
        api.batch = { ...api.batch, status: 'cancelled', states: statesOf({ cancelled: 2 }) };
        return api.batch;
      }),
    );
    await user.click(await screen.findByRole('button', { name: 'Pause' }));
    await main().findByText('Paused');
    await user.click(await screen.findByRole('button', { name: 'Resume' }));
    await user.click(
      await screen
        .findByRole('button', { name: 'Pause' })
        .then(() => screen.getByRole('button', { name: 'Cancel all' })),
    );
    const question = await screen.findByRole('alertdialog', { name: 'Cancel this batch?' });
    expect(question.textContent).toContain('2 files will not be read.');
    await user.click(within(question).getByRole('button', { name: 'Cancel all' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Cancel all' })).toBeNull());
    const download = screen.getByRole('button', { name: 'Download report' });
    await waitFor(() => expect(document.activeElement).toBe(download));
    expect(main().getAllByText('Cancelled').length).toBeGreaterThan(1);
  });

  it('of an interrupted upload says what is missing and offers to finish without it', async () => {
    const { api, user } = show({
      files: 4,
      planned: { files: 12, bytes: 1200 },
      states: statesOf({ succeeded: 4 }),
    });
    const missing = within(await screen.findByRole('region', { name: 'Missing files' }));
    expect(missing.getByText(/4 of 12 files were received/u)).toBeTruthy();
    await missing.findByRole('button', { name: 'Continue the upload' });
    const closed = counted(batches.close, () => (api.batch = { ...api.batch, status: 'finished' }));
    await user.click(missing.getByRole('button', { name: 'Finish without them' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Missing files' })).toBeNull());
    expect(closed.times).toBe(1);
  });

  it('that another tab sends says so, also while it is paused, and does not offer to finish it', async () => {
    const change = { files: 4, planned: { files: 12, bytes: 1200 }, uploading: true };
    show({ ...change, status: 'paused', lastReceivedAt: new Date().toISOString() });
    const missing = within(await screen.findByRole('region', { name: 'Missing files' }));
    expect(
      missing.getByText(/4 of 12 files were received, data last arrived .* seems to be sending the rest/u),
    ).toBeTruthy();
    await missing.findByRole('button', { name: 'Continue the upload' });
    expect(missing.queryByRole('button', { name: 'Finish without them' })).toBeNull();
  });

  it('lets a viewer read it, and says why the actions are disabled', async () => {
    const retried = counted(batches.retry, () => refusal('role_too_low'));
    const { user } = show(failedOnce, [batchFileOf()]);
    server.use(answer(accounts.me, () => ({ user: userOf({ role: 'viewer' }) })));
    await screen.findByRole('row', { name: /feed\.json/u });
    const button = screen.getByRole('button', { name: 'Retry 1 failed' });
    await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('true'));
    await user.click(button);
    expect(retried.times).toBe(0);
  });

  it('of an unknown batch says so and leads to the list', async () => {
    const { api } = show();
    api.batch = batchOf();
    await screen.findByText('Batch not found');
    expect(screen.getByRole('link', { name: 'All batches' }).getAttribute('href')).toBe('/dashboard/batches');
  });
});

describe('the list of batches', () => {
  it('opens its last page when the page in the URL is after it', async () => {
    setUp();
    const { router } = visit('/dashboard/batches?page=99');
    await screen.findByRole('row', { name: /Feeds of May/u });
    expect(screen.queryByText('No batches yet.')).toBeNull();
    expect(router.state.location.search).toEqual({});
  });

  it('names the cancelled files of a batch', async () => {
    setUp({ status: 'cancelled', files: 12, states: statesOf({ succeeded: 3, cancelled: 9 }) });
    visit('/dashboard/batches');
    const row = await screen.findByRole('row', { name: /Feeds of May/u });
    expect(row.textContent).toContain('0 unchanged, 9 cancelled');
  });

  it('shows each batch with its state, progress and result in one sentence', async () => {
    setUp({ ...failedOnce, bytes: 2048, created: 1, unchanged: 3 });
    visit('/dashboard/batches');
    const row = await screen.findByRole('row', { name: /Feeds of May/u });
    // Narrow screens have the state in the cell of the name.
    expect(within(row).getAllByText('Finished, 1 failed')).toHaveLength(2);
    expect(row.textContent).toContain(
      '12 files, 2 KB: 1 record created, 0 updated, 3 unchanged, 1 failed, 12 issues',
    );
    expect(within(row).getByRole('link').getAttribute('href')).toMatch(
      /^\/dashboard\/batches\/[0-9a-f-]{36}$/u,
    );
  });
});
