import { batches, reports } from '@riskboard/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { batchFileOf, batchOf } from '../../../testing/batches.ts';
import { fakeApi, pageOf } from '../../../testing/fake-api.ts';
import { visit } from '../../../testing/render-app.tsx';
import { newId } from '../../../testing/rows.ts';
import { answer, server, useServer } from '../../../testing/server.ts';
import { uploads } from './transfer/upload-store.ts';
import { uploadDialog } from './upload-dialog-state.ts';

useServer();

// jsdom has no layout: without a height the virtual list renders no row.
beforeEach(() => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(280);
});

afterEach(() => {
  uploadDialog.set(false);
  uploads.drop();
});

const findDialog = async () =>
  within(await screen.findByRole('dialog', { name: 'Upload STIX/TAXII Report' }));
const notice = /Files are added to the batch/u;

/** The page of a batch whose upload was interrupted, after a click on Continue the upload. */
async function continueUpload() {
  fakeApi();
  const batch = batchOf({ name: 'Feeds of May', files: 4, planned: { files: 12, bytes: 1200 } });
  const sentTo: (string | null)[] = [];
  server.use(
    answer(batches.get, () => batch),
    answer(batches.close, () => batch),
    answer(batches.files, ({ url }) => {
      const { rows: files, ...page } = pageOf([], url);
      return { files, ...page };
    }),
    answer(batches.filesFacets, () => ({ facets: {} })),
    answer(reports.upload, async ({ request, url }) => {
      await request.text();
      sentTo.push(url.searchParams.get('batch'));
      const id = newId();
      return {
        success: true as const,
        action: 'created' as const,
        _id: id,
        id,
        stixVersion: '2.1',
        jobId: newId(),
      };
    }),
  );
  const { user } = visit(`/dashboard/batches/${batch._id}`);
  await user.click(await screen.findByRole('button', { name: 'Continue the upload' }));
  async function send(name: string) {
    const dialog = await findDialog();
    await user.upload(dialog.getByLabelText('Report files'), new File(['{}'], name));
    await user.click(await dialog.findByRole('button', { name: 'Upload 1 file' }));
  }
  return { batch, sentTo, user, send };
}

it('names the batch in the dialog, and its files are sent to it', async () => {
  const { batch, sentTo, send } = await continueUpload();
  const dialog = await findDialog();
  expect(dialog.getByText(notice).textContent).toContain('Feeds of May');
  await send('missing.json');
  await waitFor(() => expect(sentTo).toEqual([batch._id]));
});

it('counts only the files that the batch has not received', async () => {
  const { user } = await continueUpload();
  server.use(
    answer(batches.files, ({ url }) => {
      const received = [1, 2, 3].map((n) => batchFileOf({ name: `r-${n}.json`, size: 2, fileId: newId() }));
      const { rows: files, ...page } = pageOf(received, url);
      return { files, ...page };
    }),
    answer(batches.estimate, ({ url }) => ({ seconds: Number(url.searchParams.get('files')), basedOn: 9 })),
  );
  await user.click((await findDialog()).getByRole('button', { name: 'Close' }));
  await user.click(await screen.findByRole('button', { name: 'Continue the upload' }));
  const dialog = await findDialog();
  const files = Array.from({ length: 12 }, (_, n) => new File(['{}'], `r-${n}.json`));
  await user.upload(dialog.getByLabelText('Report files'), files);
  await dialog.findByRole('button', { name: 'Upload 9 files' });
  dialog.getByText('9 of 12');
  expect(await dialog.findByText('About 9 s')).toBeTruthy();
});

it('ends when the dialog is closed without a start: later files do not belong to the batch', async () => {
  const { sentTo, user, send } = await continueUpload();
  await user.click((await findDialog()).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  act(() => uploadDialog.set(true));
  expect((await findDialog()).queryByText(notice)).toBeNull();
  await send('unrelated.json');
  await waitFor(() => expect(sentTo).toEqual([null]));
});
