import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { importOf, importRowOf, importsApi } from '../../../testing/imports.ts';
import { visit } from '../../../testing/render-app.tsx';
import { newId } from '../../../testing/rows.ts';
import { useServer } from '../../../testing/server.ts';

useServer();

const counts = { rows: 30, created: 27, updated: 1, unchanged: 1, failed: 1 };
const updatedId = newId();
const rows = [
  ...Array.from({ length: 27 }, (_, row) => importRowOf({ line: row + 2, name: `Asset ${row + 1}` })),
  importRowOf({ line: 29, action: 'updated', recordId: updatedId, name: 'Billing' }),
  importRowOf({ line: 30, action: 'unchanged', name: 'Archive' }),
  importRowOf({
    line: 31,
    action: 'failed',
    recordId: null,
    name: 'Printer',
    field: 'criticality',
    problem: 'Use one of Low, High.',
  }),
];

function open(change: Parameters<typeof importOf>[0] = {}, search = '') {
  const csv = importOf({ state: 'imported', counts, ...change });
  const state = importsApi(csv);
  state.rows = rows;
  return { csv, state, ...visit(`/dashboard/assets/import?import=${csv._id}${search}`) };
}

const table = async () => within(await screen.findByRole('table', { name: 'Rows of the file' }));
const tile = (name: string) => screen.findByRole('button', { name });

test('the failed rows are shown first, with line, column and reason, and can be saved as CSV', async () => {
  const { csv } = open();
  await (await table()).findByText('Printer');
  const [row = expect.fail('There is no row.'), ...others] = (await table()).getAllByRole('row').slice(1);
  expect(others).toEqual([]);
  expect(within(row).getByRole('rowheader').textContent).toContain('Printer');
  expect(
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(['31', 'Failed', 'Criticality (Importance)', 'Use one of Low, High.']);
  expect((await tile('Failed 1')).getAttribute('aria-pressed')).toBe('true');
  const link = screen.getByRole('link', { name: '1 failed row as CSV' });
  expect(link.getAttribute('href')).toBe(`/api/imports/${csv._id}/rows/export?action=failed`);
  // The server names the file.
  expect(link.getAttribute('download')).toBe('');
});

test('the counts filter the rows, which are on pages; the URL holds both', async () => {
  const { csv, user, router } = open();
  await user.click(await tile('Created 27'));
  await screen.findByRole('link', { name: 'Asset 1' });
  expect(router.state.location.search).toEqual({ import: csv._id, rows: 'created' });
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  await screen.findByRole('link', { name: 'Asset 21' });
  expect(router.state.location.search).toEqual({ import: csv._id, rows: 'created', page: 2 });
  await user.click(await tile('All rows 30'));
  await screen.findByRole('link', { name: 'Asset 1' });
  expect(router.state.location.search).toEqual({ import: csv._id, rows: 'all' });
});

test('the last page of the rows is opened when the page in the URL is after it', async () => {
  const { csv, router } = open({}, '&rows=created&page=99');
  await screen.findByRole('link', { name: 'Asset 21' });
  expect(router.state.location.search).toEqual({ import: csv._id, rows: 'created', page: 2 });
});

test('a dry run says what would be created and updated', async () => {
  open({ state: 'checked' }, '&rows=created');
  await (await table()).findByText('Asset 1');
  expect((await table()).getAllByText('To create')).not.toEqual([]);
  await tile('To create 27');
  await tile('To update 1');
  expect(screen.getByRole('region', { name: 'Rows to create' })).toBeDefined();
  expect(screen.getByRole('link', { name: '27 rows to create as CSV' })).toBeDefined();
});

test.each(['checked', 'imported'] as const)(
  'the rows of an import that is %s fit a phone, whose cards are 326 pixels wide, without scrolling',
  async (state) => {
    open({ state });
    const { style } = await screen.findByRole('table', { name: 'Rows of the file' });
    expect(parseInt(style.getPropertyValue('--least').replace('calc(', ''), 10)).toBeLessThanOrEqual(326);
  },
);

test('rows lead to their records', async () => {
  open({}, '&rows=updated');
  const link = await (await table()).findByRole('link', { name: 'Billing' });
  expect(link.getAttribute('href')).toBe(`/dashboard/assets/${updatedId}`);
});

test.each([
  ['a dry run, which has created nothing', { state: 'checked' as const }],
  [
    'an undone import, whose records are deleted',
    { state: 'undone' as const, undo: { records: 28, deleted: 27, restored: 1, kept: 0 } },
  ],
])('created rows have no link after %s', async (_what, change) => {
  open(change, '&rows=created');
  await (await table()).findByText('Asset 1');
  expect((await table()).queryByRole('link', { name: 'Asset 1' })).toBeNull();
});

test('after an undo the kept records are shown first with the reason', async () => {
  const csv = importOf({ state: 'undone', counts, undo: { records: 28, deleted: 27, restored: 0, kept: 1 } });
  const state = importsApi(csv);
  state.rows = [
    ...rows,
    importRowOf({
      line: 29,
      action: 'kept',
      recordId: updatedId,
      name: 'Billing',
      problem: 'Ben Pier changed it since.',
    }),
  ];
  visit(`/dashboard/assets/import?import=${csv._id}`);
  await (await table()).findByRole('link', { name: 'Billing' });
  expect((await table()).getAllByText('Ben Pier changed it since.')).toHaveLength(2);
  expect((await tile('Kept 1')).getAttribute('aria-pressed')).toBe('true');
});

test('an import without failed rows shows all rows', async () => {
  open({ counts: { rows: 29, created: 27, updated: 1, unchanged: 1, failed: 0 } });
  await waitFor(async () => expect((await tile('All rows 29')).getAttribute('aria-pressed')).toBe('true'));
  await (await table()).findByText('Asset 1');
});

test('a dry run warns about rows with the CVE of another record, and about fix dates that may be deadlines', async () => {
  open({ state: 'checked', counts: { ...counts, sharedCve: 1, fixDateUnfixed: 12 } });
  expect(await screen.findByText(/^12 rows have a fix date without the status Fixed\./u)).toBeDefined();
  expect(
    screen.getByText(/^1 row has the CVE of an existing vulnerability and would create a new one\./u),
  ).toBeDefined();
});
