import { accounts, imports, importableFields, projects } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { importOf, importsApi } from '../../../testing/imports.ts';
import { visit } from '../../../testing/render-app.tsx';
import { newId, projectOf, userOf } from '../../../testing/rows.ts';
import { answer, counted, refusal, server, useServer } from '../../../testing/server.ts';

useServer();

const address = '/dashboard/assets/import';
const csvFile = (name = 'inventory.csv', text = 'Name\nMail gateway\n') =>
  new File([text], name, { type: 'text/csv' });
const input = () => screen.findByLabelText<HTMLInputElement>('CSV file');

test('a chosen file is uploaded at once for its noun, and the page continues with its columns', async () => {
  const csv = importOf();
  const state = importsApi();
  const nouns: (string | null)[] = [];
  server.use(
    answer(imports.upload, ({ url }) => {
      nouns.push(url.searchParams.get('noun'));
      state.imports = [csv];
      return HttpResponse.json(csv, { status: 201 });
    }),
  );
  const { router, user } = visit(address);
  await user.upload(await input(), csvFile());
  await screen.findByRole('table', { name: 'Columns of the file' });
  expect(nouns).toEqual(['assets']);
  expect(router.state.location.search).toEqual({ import: csv._id });
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('inventory.csv');
  const heading = screen.getByRole('heading', { name: 'Step 2 of 4: Columns' });
  await waitFor(() => expect(document.activeElement).toBe(heading));
});

test.each([
  ['the only project', ''],
  ['the project of the address', newId()],
])('the columns of assets start with %s for rows without a project', async (_which, inAddress) => {
  const only = projectOf();
  const csv = importOf();
  const state = importsApi();
  server.use(
    answer(projects.names, () => ({ projects: [only], total: 1 })),
    answer(projects.get, ({ params }) => projectOf({ _id: String(params['id']) })),
    answer(imports.upload, () => {
      state.imports = [csv];
      return HttpResponse.json(csv, { status: 201 });
    }),
  );
  const { router, user, connected } = visit(inAddress === '' ? address : `${address}?project=${inAddress}`);
  await connected();
  await user.upload(await input(), csvFile());
  await screen.findByRole('table', { name: 'Columns of the file' });
  const project = inAddress === '' ? only._id : inAddress;
  expect(router.state.location.search).toEqual({ import: csv._id, project });
  await waitFor(() => expect(state.sent.at(-1)?.plan?.projectId).toBe(project));
});

test('the message of the server about a line is shown with the file name, and another file can be chosen', async () => {
  importsApi();
  const upload = counted(imports.upload, () =>
    refusal('invalid', 'The quote that opens in line 17 is not closed.'),
  );
  const { user } = visit(address);
  await user.upload(await input(), csvFile());
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe('inventory.csv: The quote that opens in line 17 is not closed.');
  expect(within(alert).queryByRole('button')).toBeNull();
  await user.upload(await input(), csvFile('corrected.csv'));
  await waitFor(() => expect(upload.times).toBe(2));
});

test('an upload that failed without a reason in the file can be retried', async () => {
  importsApi();
  const upload = counted(imports.upload, () => refusal('unavailable', 'The database rests.'));
  const { user } = visit(address);
  await user.upload(await input(), csvFile());
  expect((await screen.findByRole('alert')).textContent).toContain('The database rests.');
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(upload.times).toBe(2));
});

test.each([
  ['another kind of file', csvFile('inventory.xlsx'), 'inventory.xlsx: Only .csv files are accepted.'],
  ['an empty file', csvFile('empty.csv', ''), 'empty.csv: The file is empty.'],
])('%s is refused without a call', async (_what, file, message) => {
  importsApi();
  const upload = counted(imports.upload, () => refusal('internal'));
  const { user } = visit(address);
  await user.upload(await input(), file);
  expect((await screen.findByRole('alert')).textContent).toBe(message);
  expect(upload.times).toBe(0);
});

test('the page offers the template and names every field that can be imported, with the required ones', async () => {
  importsApi();
  visit(address);
  const template = await screen.findByRole('link', { name: 'Download template' });
  expect(template.getAttribute('href')).toBe('/api/imports/template?noun=assets');
  const fields = within(screen.getByRole('region', { name: 'Fields' }));
  const required = importableFields('assets').filter((field) => field.required);
  expect(fields.getAllByRole('term').map(({ textContent }) => textContent.replace('Required', ''))).toEqual(
    importableFields('assets').map(({ label }) => label),
  );
  expect(fields.getAllByText('Required')).toHaveLength(required.length);
});

test('a viewer sees why a file cannot be imported, and the earlier imports', async () => {
  importsApi(importOf({ fileName: 'last-week.csv' }));
  server.use(answer(accounts.me, () => ({ user: userOf({ role: 'viewer' }) })));
  const { user } = visit(address);
  const button = await screen.findByRole('button', { name: 'Choose file' });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByText(/Requires the analyst role. You are a viewer./u)).toBeDefined();
  expect((await input()).disabled).toBe(true);
  await user.click(await screen.findByRole('link', { name: 'last-week.csv' }));
  const choice = await screen.findByRole('combobox', { name: 'Field of column Name' });
  expect((choice as HTMLSelectElement).disabled).toBe(true);
  expect(screen.getByRole('button', { name: 'Check 40 rows' }).getAttribute('aria-disabled')).toBe('true');
});

test('earlier imports of the noun are listed with their state and result, and lead to their report', async () => {
  const counts = { rows: 40, created: 30, updated: 6, unchanged: 3, failed: 1 };
  importsApi(
    importOf({ fileName: 'new.csv' }),
    importOf({ fileName: 'done.csv', state: 'imported', counts }),
    importOf({ fileName: 'tried.csv', state: 'checked', counts }),
    importOf({
      fileName: 'back.csv',
      state: 'undone',
      counts,
      undo: { records: 36, deleted: 30, restored: 5, kept: 1 },
    }),
    importOf({ fileName: 'broken.csv', state: 'failed', error: 'The project was deleted.' }),
    importOf({ fileName: 'other.csv', noun: 'vulnerabilities', columns: [] }),
  );
  const { router, user } = visit(address);
  const table = within(await screen.findByRole('table', { name: 'Earlier imports' }));
  const rowText = async (name: string) =>
    (await table.findByRole('row', { name: new RegExp(name, 'u') })).textContent;
  expect(await rowText('new.csv')).toContain('Not imported40 rows');
  expect(await rowText('done.csv')).toContain('Imported30 created, 6 updated, 3 unchanged, 1 failed');
  expect(await rowText('tried.csv')).toContain(
    'Dry run: 30 would be created, 6 would be updated, 3 unchanged, 1 failed',
  );
  expect(await rowText('back.csv')).toContain(
    'Undone30 deleted, 5 restored, 1 kept because they changed since',
  );
  expect(await rowText('broken.csv')).toContain('FailedThe project was deleted.');
  expect(table.queryByText('other.csv')).toBeNull();
  await user.click(table.getByRole('link', { name: 'done.csv' }));
  await screen.findByText('Import finished');
  expect(router.state.location.search).toMatchObject({ import: expect.any(String) });
});

test('an import is deleted with its file and report after a confirmation that says the records stay', async () => {
  const counts = { rows: 1, created: 1, updated: 0, unchanged: 0, failed: 0 };
  const state = importsApi(importOf({ fileName: 'done.csv', state: 'imported', counts }));
  const { user } = visit(address);
  await user.click(await screen.findByRole('button', { name: 'Delete the import of done.csv' }));
  const question = await screen.findByRole('alertdialog', { name: 'Delete this import?' });
  expect(question.textContent).toContain(
    'The imported records stay, and the import can no longer be undone.',
  );
  await user.click(within(question).getByRole('button', { name: 'Delete import' }));
  await screen.findByText('Import deleted');
  await screen.findByText('No imports yet.');
  expect(state.imports).toEqual([]);
});

test('after the only import of the last page was deleted, the page before it is shown', async () => {
  importsApi(...Array.from({ length: 11 }, (_, n) => importOf({ fileName: `${n}.csv` })));
  const { user, router } = visit(`${address}?page=2`);
  await user.click(await screen.findByRole('button', { name: 'Delete the import of 10.csv' }));
  const question = await screen.findByRole('alertdialog', { name: 'Delete this import?' });
  await user.click(within(question).getByRole('button', { name: 'Delete import' }));
  await screen.findByRole('link', { name: '9.csv' });
  expect(screen.queryByText('No imports yet.')).toBeNull();
  expect(router.state.location.search).toEqual({});
});

test('an import that does not exist shows the way to the others', async () => {
  importsApi();
  visit(`${address}?import=0199f000-0000-7000-8000-00000000dead`);
  await screen.findByText('Import not found');
  expect(screen.getByRole('link', { name: 'All imports' }).getAttribute('href')).toBe(address);
});

test.each(['/dashboard/assets/import?import=', '/dashboard/imports/'])(
  'the address %s of an import of vulnerabilities opens the page of vulnerabilities',
  async (start) => {
    const csv = importOf({
      noun: 'vulnerabilities',
      columns: [{ index: 0, header: 'Title', field: 'name', samples: [] }],
    });
    importsApi(csv);
    const { router } = visit(`${start}${csv._id}`);
    await screen.findByRole('table', { name: 'Columns of the file' });
    expect(router.state.location.pathname).toBe('/dashboard/vulnerabilities/import');
    expect(router.state.location.search).toEqual({ import: csv._id });
  },
);
