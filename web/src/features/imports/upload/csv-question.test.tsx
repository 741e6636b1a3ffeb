import { accounts, imports } from '@riskboard/contract';
import { createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, expect, test } from 'vitest';
import { importOf, importsApi } from '../../../testing/imports.ts';
import { visit } from '../../../testing/render-app.tsx';
import { userOf } from '../../../testing/rows.ts';
import { answer, server, useServer } from '../../../testing/server.ts';
import { csvToUpload, droppedCsv } from './csv-drop-state.ts';

useServer();
afterEach(() => {
  droppedCsv.set(null);
  csvToUpload.set(null);
});

const file = new File(['Title\nLog4Shell\n'], 'findings.CSV', { type: 'text/csv' });

/** Drops the file when the page listens to drops, which it does after a part of it has loaded. */
const drop = (heading: HTMLElement) =>
  waitFor(() => {
    const event = createEvent.drop(heading, { dataTransfer: { files: [file], items: [], types: ['Files'] } });
    fireEvent(heading, event);
    expect(event.defaultPrevented).toBe(true);
  });

function acceptUpload() {
  const csv = importOf({
    noun: 'vulnerabilities',
    columns: [{ index: 0, header: 'Title', field: 'name', samples: ['Log4Shell'] }],
  });
  const state = importsApi();
  const nouns: (string | null)[] = [];
  server.use(
    answer(imports.upload, ({ url }) => {
      nouns.push(url.searchParams.get('noun'));
      state.imports = [csv];
      return HttpResponse.json(csv, { status: 201 });
    }),
  );
  return { csv, nouns };
}

test('a CSV file that is dropped on a page opens the question what it contains, and then its import', async () => {
  const { csv, nouns } = acceptUpload();
  const { user, router } = visit('/dashboard/jobs');
  await drop(await screen.findByRole('heading', { level: 1 }));
  const dialog = await screen.findByRole('dialog', { name: 'Import a CSV file' });
  expect(dialog.textContent).toContain('What does findings.CSV contain?');
  await user.click(within(dialog).getByRole('button', { name: 'Vulnerabilities' }));
  await screen.findByRole('table', { name: 'Columns of the file' });
  expect(nouns).toEqual(['vulnerabilities']);
  expect(router.state.location.pathname).toBe('/dashboard/vulnerabilities/import');
  expect(router.state.location.search).toEqual({ import: csv._id });
  expect(screen.queryByRole('dialog', { name: 'Upload STIX/TAXII Report' })).toBeNull();
});

test('a CSV file that is dropped anywhere on the page of an import is uploaded without a question', async () => {
  const { nouns } = acceptUpload();
  visit('/dashboard/vulnerabilities/import');
  await drop(await screen.findByRole('heading', { level: 1 }));
  await screen.findByRole('table', { name: 'Columns of the file' });
  expect(nouns).toEqual(['vulnerabilities']);
});

test('a viewer who drops a CSV file sees why it cannot be imported', async () => {
  importsApi();
  server.use(answer(accounts.me, () => ({ user: userOf({ role: 'viewer' }) })));
  const { user } = visit('/dashboard/jobs');
  await drop(await screen.findByRole('heading', { level: 1 }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Import a CSV file' }));
  expect(dialog.getByText('Requires the analyst role. You are a viewer.')).toBeDefined();
  expect(dialog.getByRole('button', { name: 'Assets' }).getAttribute('aria-disabled')).toBe('true');
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Import a CSV file' })).toBeNull());
});
