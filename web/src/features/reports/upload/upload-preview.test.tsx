import { batches } from '@riskboard/contract';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeApi } from '../../../testing/fake-api.ts';
import { renderPart } from '../../../testing/render-app.tsx';
import { fileOf } from '../../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../../testing/server.ts';
import { lastOfNames } from './transfer/name-clashes.ts';
import { createUploadRows } from './transfer/upload-rows.ts';
import { UploadPreview } from './upload-preview.tsx';

useServer();

/** The preview of files with these names, of 1 KB each. */
function preview(names: readonly string[]) {
  const rows = createUploadRows();
  rows.add(
    names.map((name, id) => ({
      id,
      file: new File([' '.repeat(1024)], name),
      state: 'chosen',
      sent: 0,
      reason: null,
      canRetry: false,
      existingId: null,
      extract: [],
      reply: null,
      batchId: null,
    })),
  );
  return renderPart(<UploadPreview chosen={rows.all()} sent={lastOfNames(rows.all())} />);
}

const names = Array.from({ length: 12 }, (_, n) => `report-${n}.json`);
const fact = (label: string) => screen.getByText(label).nextElementSibling?.textContent;

test('before the start it shows files, size, names that exist without case, and the estimated time', async () => {
  fakeApi({
    files: [fileOf({ originalFilename: 'REPORT-3.json' }), fileOf({ originalFilename: 'other.json' })],
  });
  const queries: string[] = [];
  server.use(
    answer(batches.estimate, ({ url }) => {
      queries.push(url.search);
      return { seconds: 125, basedOn: 40 };
    }),
  );
  preview(names);
  await waitFor(() => expect(fact('Names that exist')).toBe('1'));
  await waitFor(() => expect(fact('Estimated time')).toBe('About 2 min 05 s'));
  expect([fact('Files'), fact('Size')]).toEqual(['12', '12 KB']);
  expect(queries).toEqual(['?files=12&bytes=12288']);
  expect(screen.queryByText(/name of another chosen file/u)).toBeNull();
});

test.each([
  [['REPORT-1.json'], '1 file has the name of another chosen file and replaces it.'],
  [['Report-1.json', 'REPORT-1.json'], '2 files have the name of another chosen file and replace it.'],
])('it says that files of one name replace each other: %j', async (same, text) => {
  fakeApi();
  server.use(answer(batches.estimate, () => ({ seconds: null, basedOn: 0 })));
  preview([...names, ...same]);
  await screen.findByText(text);
  expect(fact('Files')).toBe(`12 of ${12 + same.length}`);
  await waitFor(() => expect(fact('Estimated time')).toBe('Not known yet'));
});

test('it shows what is not known when the estimate fails', async () => {
  fakeApi();
  server.use(answer(batches.estimate, () => refusal('unavailable')));
  preview(names);
  await waitFor(() => expect(fact('Names that exist')).toBe('0'));
  expect(fact('Estimated time')).toBe('–');
});

test('a few files of one name are announced without a preview', async () => {
  fakeApi();
  preview(['a.json', 'b.json', 'A.json']);
  await screen.findByText('1 file has the name of another chosen file and replaces it.');
  expect(screen.queryByRole('region', { name: 'Preview of the upload' })).toBeNull();
});

test('a few files have no preview', async () => {
  fakeApi();
  const { router } = preview(names.slice(0, 9));
  await waitFor(() => expect(router.state.status).toBe('idle'));
  expect(screen.queryByRole('region', { name: 'Preview of the upload' })).toBeNull();
});
