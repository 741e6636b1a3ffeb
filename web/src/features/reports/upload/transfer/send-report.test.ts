import { accounts, reports } from '@riskboard/contract';
import { expect, test } from 'vitest';
import { newId, userOf } from '../../../../testing/rows.ts';
import { counted, refusal, useServer } from '../../../../testing/server.ts';
import { sendReport } from './send-report.ts';

useServer();

const file = new File(['{}'], 'apt1.json');

function acceptAfterRefresh(onRefresh: () => void) {
  let isExpired = true;
  const upload = counted(reports.upload, () => {
    if (isExpired) return refusal('session_expired');
    const id = newId();
    return { success: true as const, action: 'created' as const, _id: id, id, stixVersion: '2.1', jobId: id };
  });
  counted(accounts.refresh, () => {
    isExpired = false;
    onRefresh();
    return { user: userOf() };
  });
  return upload;
}

test('a report is sent again after the session was renewed', async () => {
  const upload = acceptAfterRefresh(() => undefined);
  const { signal } = new AbortController();
  await sendReport(file, { extract: [], signal, onSent: () => undefined });
  expect(upload.times).toBe(2);
});

test('a report that was cancelled while the session was renewed is not sent again', async () => {
  const abort = new AbortController();
  const upload = acceptAfterRefresh(() => abort.abort());
  const sent = sendReport(file, { extract: [], signal: abort.signal, onSent: () => undefined });
  await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
  expect(upload.times).toBe(1);
});
