import { batches } from '@riskboard/contract';
import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { sendingBatches } from '../../../features/reports/upload/sending-batches-state.ts';
import { batchOf } from '../../../testing/batches.ts';
import { fakeApi, pageOf } from '../../../testing/fake-api.ts';
import { visit } from '../../../testing/render-app.tsx';
import { answer, server, useServer } from '../../../testing/server.ts';

const loaded = vi.hoisted(() => vi.fn<() => void>());
vi.mock('../../../features/reports/upload/continue-upload.tsx', () => {
  loaded();
  return { ContinueUpload: () => null };
});

useServer();

it('the page of a batch loads the tools to continue it while this tab sends: a lost connection may interrupt that', async () => {
  fakeApi();
  const batch = batchOf({ files: 4, planned: { files: 12, bytes: 1200 } });
  server.use(
    answer(batches.get, () => batch),
    answer(batches.files, ({ url }) => {
      const { rows: files, ...page } = pageOf([], url);
      return { files, ...page };
    }),
    answer(batches.filesFacets, () => ({ facets: {} })),
  );
  sendingBatches.set(new Set([batch._id]));
  visit(`/dashboard/batches/${batch._id}`);
  await screen.findByRole('heading', { name: new RegExp(batch.name, 'u') });
  expect(screen.queryByRole('region', { name: 'Missing files' })).toBeNull();
  await waitFor(() => expect(loaded).toHaveBeenCalledOnce());
});
