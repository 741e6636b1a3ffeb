import { imports, projects } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { importOf, importsApi, previewRowOf } from '../../../testing/imports.ts';
import { visit } from '../../../testing/render-app.tsx';
import { newId } from '../../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../../testing/server.ts';

useServer();

const choice = (column: string) =>
  screen.findByRole<HTMLSelectElement>('combobox', { name: `Field of column ${column}` });
const rowOf = async (column: string) =>
  (await choice(column)).closest('tr') ?? expect.fail('The choice is in no row.');

function open(csv = importOf(), search = '') {
  const state = importsApi(csv);
  return { csv, state, ...visit(`/dashboard/assets/import?import=${csv._id}${search}`) };
}

test('each column shows its samples, the field matched automatically, and what the field accepts', async () => {
  open();
  const name = await rowOf('Name');
  expect(name.textContent).toContain('Mail gateway · Billing');
  expect((await choice('Name')).selectedOptions[0]?.text).toBe('Name');
  expect(within(name).getByText('Automatic')).toBeDefined();
  expect((await rowOf('Importance')).textContent).toContain('Very Low, Low');
  expect((await choice('Owner')).selectedOptions[0]?.text).toBe('Do not import');
  expect(within(await rowOf('Owner')).getByText('Not imported')).toBeDefined();
  expect(screen.getByText('2 of 3 imported')).toBeDefined();
});

test('a changed match is marked as chosen, is in the URL, and survives a reload of the page', async () => {
  const { csv, state, user, router } = open();
  await user.selectOptions(await choice('Owner'), 'description');
  await waitFor(async () => expect(within(await rowOf('Owner')).getByText('Chosen')).toBeDefined());
  expect(router.state.location.search).toEqual({ import: csv._id, map: '2:description' });
  await waitFor(() =>
    expect(state.sent.at(-1)?.plan?.mapping[2]).toEqual({ column: 2, field: 'description' }),
  );
});

test('the choices of a URL are shown when another tab opens it', async () => {
  open(importOf(), '&map=0:reference,1:name&key=reference');
  expect((await choice('Name')).value).toBe('reference');
  expect((await choice('Importance')).value).toBe('name');
  expect(screen.getByRole('radio', { name: 'Reference' }).getAttribute('aria-checked')).toBe('true');
});

test('a field can be used once: in other columns it is disabled and names the column that uses it', async () => {
  const { user } = open();
  const owner = await choice('Owner');
  const used = within(owner).getByRole<HTMLOptionElement>('option', { name: 'Name (used by “Name”)' });
  expect(used.disabled).toBe(true);
  await user.selectOptions(await choice('Name'), '');
  await waitFor(() =>
    expect(within(owner).getByRole<HTMLOptionElement>('option', { name: 'Name' }).disabled).toBe(false),
  );
});

test('required fields without a column are named, and without the column of the key nothing can be checked', async () => {
  const { user } = open();
  await screen.findByText(/No column is imported as Description, Type, and Project\./u);
  const check = () => screen.getByRole('button', { name: 'Check 40 rows' });
  expect(check().getAttribute('aria-disabled')).not.toBe('true');
  await user.selectOptions(await choice('Name'), '');
  await waitFor(() => expect(check().getAttribute('aria-disabled')).toBe('true'));
  expect(screen.getAllByText('Choose the column of Name: it finds existing records.')).toHaveLength(2);
});

test('a key without a column cannot be chosen; one with a column goes into the plan', async () => {
  const { user, state } = open();
  const reference = await screen.findByRole('radio', { name: 'Reference' });
  expect(reference.getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByText('No column is imported as Reference.')).toBeDefined();
  await user.selectOptions(await choice('Owner'), 'reference');
  await waitFor(() => expect(reference.getAttribute('aria-disabled')).not.toBe('true'));
  await user.click(reference);
  await waitFor(() => expect(state.sent.at(-1)?.plan?.key).toBe('reference'));
});

test('a project for rows without one is found by its name, goes into the plan, and can be removed', async () => {
  const project = { _id: newId(), name: 'Harbour' };
  const { user, state, router, csv } = open();
  server.use(
    answer(projects.names, () => Response.json({ projects: [project], total: 1 })),
    answer(projects.get, () => Response.json(project)),
  );
  await user.type(await screen.findByRole('combobox', { name: 'Project of rows without one' }), 'Har');
  await user.click(await screen.findByRole('option', { name: 'Harbour' }));
  await waitFor(() => expect(state.sent.at(-1)?.plan?.projectId).toBe(project._id));
  await screen.findByText(/No column is imported as Description and Type\./u);
  await waitFor(() =>
    expect(
      screen.getByRole<HTMLInputElement>('combobox', { name: 'Project of rows without one' }).value,
    ).toBe('Harbour'),
  );
  // Escape in the closed search keeps the project.
  await user.click(screen.getByRole('combobox', { name: 'Project of rows without one' }));
  await user.keyboard('{Escape}{Escape}');
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Project of rows without one' }).value).toBe(
    'Harbour',
  );
  await user.click(screen.getByRole('button', { name: 'Remove the project' }));
  await waitFor(() => expect(router.state.location.search).toEqual({ import: csv._id }));
  await screen.findByText(/No column is imported as Description, Type, and Project\./u);
});

test('an import of vulnerabilities offers three keys and no project', async () => {
  const csv = importOf({
    noun: 'vulnerabilities',
    columns: [{ index: 0, header: 'Title', field: 'name', samples: [] }],
  });
  importsApi(csv);
  visit(`/dashboard/vulnerabilities/import?import=${csv._id}`);
  await choice('Title');
  expect(
    screen.getAllByRole('radio').map(({ ariaLabel, textContent }) => ariaLabel ?? textContent),
  ).toHaveLength(3);
  expect(screen.queryByRole('combobox', { name: 'Project of rows without one' })).toBeNull();
});

test('the preview shows the action of each row and each problem at its cell', async () => {
  const { state } = open();
  state.preview = [
    previewRowOf({ action: 'update' }),
    previewRowOf({
      line: 3,
      action: 'fail',
      name: 'Billing',
      cells: [
        { column: 0, field: 'name', value: 'Billing' },
        { column: 1, field: 'criticality', value: 'huge', problem: 'Use one of Low, High.' },
      ],
      problems: ['A new asset needs a project.'],
    }),
    previewRowOf({ line: 5, action: 'unchanged' }),
  ];
  const table = within(await screen.findByRole('table', { name: 'Preview of the rows' }));
  expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Line',
    'Action',
    'Name',
    'CriticalityImportance',
  ]);
  const [, second = expect.fail('There is no second row.')] = table.getAllByRole('row').slice(1);
  const cells = within(second).getAllByRole('cell');
  expect(within(second).getByRole('rowheader').textContent).toBe('3');
  expect(cells[0]?.textContent).toBe('FailProblem: A new asset needs a project.');
  expect(cells[1]?.textContent).toBe('Billing');
  expect(cells[2]?.textContent).toBe('hugeProblem: Use one of Low, High.');
  expect(table.getByText('Update')).toBeDefined();
  expect(table.getByText('Unchanged')).toBeDefined();
  expect(screen.getByText('first 3 of 40 rows')).toBeDefined();
  expect(screen.getByText('1 row with problems')).toBeDefined();
});

test('a preview without rows does not say that there are no problems', async () => {
  const { state } = open();
  state.preview = [];
  expect(await screen.findByText('first 0 of 40 rows')).toBeDefined();
  expect(screen.queryByText('No problems')).toBeNull();
});

test('a preview that fails shows the message of the server and can be repeated', async () => {
  const csv = importOf();
  const state = importsApi(csv);
  server.use(answer(imports.preview, () => refusal('invalid', 'The project was deleted.')));
  const { user } = visit(`/dashboard/assets/import?import=${csv._id}`);
  await screen.findByText('The project was deleted.');
  server.use(answer(imports.preview, () => ({ rows: state.preview })));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByRole('table', { name: 'Preview of the rows' });
  expect(screen.queryByText('The project was deleted.')).toBeNull();
});

test('a failed run shows its reason above the columns', async () => {
  open(importOf({ state: 'failed', error: 'The file could not be read.' }));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe('The last run failed, and nothing was written: The file could not be read.');
});
