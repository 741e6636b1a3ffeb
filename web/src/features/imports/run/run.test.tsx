import { accounts, imports, jobs, type CsvImport } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { jobStore } from '../../../lib/jobs/job-store.ts';
import { importOf, importsApi } from '../../../testing/imports.ts';
import { visit } from '../../../testing/render-app.tsx';
import { jobOf, newId, userOf } from '../../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../../testing/server.ts';

useServer();
afterEach(() => jobStore.clear());

const counts = { rows: 40, created: 30, updated: 6, unchanged: 3, failed: 1 };
const mapping = [
  { column: 0, field: 'name' },
  { column: 1, field: 'criticality' },
  { column: 2, field: null },
];
const plan = { mapping, key: 'name' };
const checked = (change: Partial<CsvImport> = {}) =>
  importOf({ state: 'checked', mapping, key: 'name', counts, ...change });

/** A page on which a job can run: the server answers with its newest state. */
function open(csv: CsvImport, search = '') {
  const state = importsApi(csv);
  state.jobId = csv.jobId ?? state.jobId;
  const job = jobOf({
    state: 'running',

    _id: state.jobId,
    kind: 'csv.import',
    fileId: null,
    fileName: 'inventory.csv',
    importId: csv._id,
  });
  state.api.jobs = csv.jobId === null ? [] : [{ ...job }];
  const page = visit(`/dashboard/assets/import?import=${csv._id}${search}`);
  /** What the server and the socket say. */
  const run = (change: Partial<typeof job>, to: Partial<CsvImport> = {}) => {
    Object.assign(job, change, { version: job.version + 1 });
    state.api.jobs = [{ ...job }];
    state.imports = state.imports.map((one) => ({ ...one, ...to }));
    state.api.publish({ type: 'job.updated', job: { ...job } });
  };
  return { csv, state, job, run, ...page };
}

test('a dry run sends the choices, shows live progress, and ends with its counts', async () => {
  const { csv, state, run, user, router, connected } = open(importOf(), '&map=2:description');
  await connected();
  await user.click(await screen.findByRole('button', { name: 'Check 40 rows' }));
  run({ kind: 'csv.check', state: 'queued' }, { state: 'checking', jobId: state.jobId });
  const card = await screen.findByRole('region', { name: 'Dry run' });
  expect(state.sent.findLast(({ call }) => call === 'check')?.plan?.mapping[2]?.field).toBe('description');
  expect(router.state.location.search).toEqual({ import: csv._id });
  run({ state: 'running', progress: { phase: 'comparing', done: 10, total: 40 } });
  await within(card).findByText('Comparing the rows with existing records');
  expect(within(card).getByText('25%')).toBeDefined();
  expect(within(card).getByText('10 of 40 rows')).toBeDefined();
  run({ state: 'succeeded', result: counts }, { state: 'checked', counts });
  await screen.findByRole('button', { name: 'Import 36 rows' });
  await screen.findByText('Dry run finished');
  expect(
    screen.getByText('inventory.csv: 30 would be created, 6 would be updated, 3 unchanged, 1 failed'),
  ).toBeDefined();
});

test('each step that replaces the focused one gets the focus at its heading', async () => {
  const { state, run, user, connected } = open(importOf());
  await connected();
  const heading = (name: string) => screen.findByRole('heading', { name, level: 2 });
  await heading('Step 2 of 4: Columns');
  expect(document.activeElement).toBe(document.body);
  await user.click(await screen.findByRole('button', { name: 'Check 40 rows' }));
  run({ kind: 'csv.check', state: 'running' }, { state: 'checking', jobId: state.jobId });
  const dryRun = await heading('Step 3 of 4: Dry run');
  await waitFor(() => expect(document.activeElement).toBe(dryRun));
  (await screen.findByRole('button', { name: 'Cancel dry run' })).focus();
  run({ state: 'succeeded', result: counts }, { state: 'checked', counts });
  await screen.findByRole('button', { name: 'Import 36 rows' });
  await waitFor(() => expect(document.activeElement).toBe(dryRun));
  await user.click(screen.getByRole('button', { name: 'Columns' }));
  const columns = await heading('Step 2 of 4: Columns');
  await waitFor(() => expect(document.activeElement).toBe(columns));
});

test('toasts cover no action of a step', async () => {
  const { user } = open(checked());
  const barOf = (button: HTMLElement) => button.closest('[data-keep-clear]');
  expect(barOf(await screen.findByRole('button', { name: 'Import 36 rows' }))).not.toBeNull();
  await user.click(screen.getByRole('button', { name: 'Columns' }));
  expect(barOf(await screen.findByRole('button', { name: 'Check 40 rows' }))).not.toBeNull();
});

test('the confirmation of an import names the counts; the import then runs with the checked choices', async () => {
  const { state, run, user } = open(checked());
  await user.click(await screen.findByRole('button', { name: 'Import 36 rows' }));
  const question = await screen.findByRole('alertdialog', { name: 'Import 36 rows?' });
  expect(question.textContent).toContain(
    '30 assets will be created. 6 assets will be updated. 3 are unchanged. 1 row with problems will be left out.',
  );
  await user.click(within(question).getByRole('button', { name: 'Import 36 rows' }));
  run({ state: 'running' }, { state: 'importing', jobId: state.jobId });
  await screen.findByRole('region', { name: 'Import' });
  expect(state.sent.at(-1)).toEqual({ call: 'start', plan });
  run({ state: 'succeeded', result: counts }, { state: 'imported' });
  await screen.findByRole('button', { name: 'Undo import' });
  await screen.findByText('inventory.csv: 30 created, 6 updated, 3 unchanged, 1 failed');
});

test('an import that is opened while it runs shows its progress, and can be cancelled', async () => {
  const { job, run, user, connected } = open(checked({ state: 'importing', jobId: newId() }));
  await connected();
  run({ progress: { phase: 'saving', done: 1, total: 4 } });
  const card = within(await screen.findByRole('region', { name: 'Import' }));
  await card.findByText('Saving records');
  server.use(
    answer(jobs.cancel, () => {
      run({ state: 'cancelled' }, { state: 'checked' });
      return { ...job };
    }),
  );
  await user.click(await screen.findByRole('button', { name: 'Cancel import' }));
  await screen.findByRole('button', { name: 'Import 36 rows' });
  expect(job.state).toBe('cancelled');
});

test('the end of an import is shown on another page, with the way to its report', async () => {
  const { csv, state, run, user, router, connected } = open(checked());
  await connected();
  await user.click(await screen.findByRole('button', { name: 'Import 36 rows' }));
  await user.click(
    within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Import 36 rows' }),
  );
  run({ state: 'running' }, { state: 'importing', jobId: state.jobId });
  await screen.findByRole('region', { name: 'Import' });
  await router.navigate({ to: '/dashboard/jobs' });
  run({ state: 'succeeded', result: counts }, { state: 'imported' });
  await user.click(await screen.findByRole('button', { name: 'View' }));
  await screen.findByRole('button', { name: 'Undo import' });
  expect(router.state.location).toMatchObject({
    pathname: '/dashboard/assets/import',
    search: { import: csv._id },
  });
});

test('a failed import shows the reason in a toast and above the columns', async () => {
  const { state, run, user } = open(checked());
  await user.click(await screen.findByRole('button', { name: 'Import 36 rows' }));
  await user.click(
    within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Import 36 rows' }),
  );
  run({ state: 'running' }, { state: 'importing', jobId: state.jobId });
  await screen.findByRole('region', { name: 'Import' });
  const error = { code: 'failed', message: 'The project was deleted.' };
  run({ state: 'failed', error }, { state: 'failed', error: error.message });
  await screen.findByText('Import failed');
  expect(screen.getByText('inventory.csv: The project was deleted.')).toBeDefined();
  await screen.findByRole('table', { name: 'Columns of the file' });
});

test('a run that the server refuses, because another tab has started one, shows the reason and its progress', async () => {
  const { state, user } = open(checked());
  server.use(
    answer(imports.start, () => {
      state.imports = state.imports.map((one) => ({ ...one, state: 'importing', jobId: state.jobId }));
      return refusal('conflict', 'The file is being imported.');
    }),
  );
  await user.click(await screen.findByRole('button', { name: 'Import 36 rows' }));
  await user.click(
    within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Import 36 rows' }),
  );
  await screen.findByText('The import was not started');
  expect(screen.getByText('The file is being imported.')).toBeDefined();
  await screen.findByRole('region', { name: 'Import' });
});

test('an import without a row to write cannot be started', async () => {
  open(checked({ counts: { rows: 40, created: 0, updated: 0, unchanged: 39, failed: 1 } }));
  const button = await screen.findByRole('button', { name: 'Import 0 rows' });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByText('No row would create or update a record.')).toBeDefined();
});

test('the columns can be changed after a dry run, or the changes discarded', async () => {
  const { user, router, csv } = open(checked(), '&rows=failed');
  await user.click(await screen.findByRole('button', { name: 'Columns' }));
  await waitFor(() => expect(router.state.location.search).toEqual({ import: csv._id, step: 'columns' }));
  await user.selectOptions(
    await screen.findByRole('combobox', { name: 'Field of column Owner' }),
    'description',
  );
  await waitFor(() =>
    expect(router.state.location.search).toEqual({ import: csv._id, step: 'columns', map: '2:description' }),
  );
  await user.click(screen.getByRole('button', { name: 'Discard changes' }));
  await screen.findByRole('button', { name: 'Import 36 rows' });
  expect(router.state.location.search).toEqual({ import: csv._id });
});

test('the undo says what it does, and shows what it deleted, restored and kept', async () => {
  const { state, run, user } = open(checked({ state: 'imported' }));
  await user.click(await screen.findByRole('button', { name: 'Undo import' }));
  const question = await screen.findByRole('alertdialog', { name: 'Undo this import?' });
  expect(question.textContent).toContain(
    '30 assets that the import created will be deleted. 6 updated assets will get their former values back.',
  );
  await user.click(within(question).getByRole('button', { name: 'Undo import' }));
  run({ kind: 'csv.undo', state: 'running' }, { state: 'undoing', jobId: state.jobId });
  await screen.findByRole('region', { name: 'Undo' });
  const undo = { records: 36, deleted: 30, restored: 5, kept: 1 };
  run({ state: 'succeeded', result: undo }, { state: 'undone', undo });
  await screen.findByText(
    /This import was undone: 30 deleted, 5 restored, 1 kept because they changed since\./u,
  );
  expect(screen.getByText('Import undone')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Undo import' })).toBeNull();
});

test('deleting the open import leads to the upload and the earlier imports', async () => {
  const { user, router } = open(checked({ state: 'imported' }), '&rows=failed&pageSize=50');
  await user.click(await screen.findByRole('button', { name: 'Delete import' }));
  const question = await screen.findByRole('alertdialog', { name: 'Delete this import?' });
  await user.click(within(question).getByRole('button', { name: 'Delete import' }));
  await screen.findByText('No imports yet.');
  expect(router.state.location.search).toEqual({});
});

test('a viewer sees the report of an import, and why it cannot be undone', async () => {
  const csv = checked({ state: 'imported' });
  importsApi(csv);
  server.use(answer(accounts.me, () => ({ user: userOf({ role: 'viewer' }) })));
  visit(`/dashboard/assets/import?import=${csv._id}`);
  const button = await screen.findByRole('button', { name: 'Undo import' });
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('true'));
});
