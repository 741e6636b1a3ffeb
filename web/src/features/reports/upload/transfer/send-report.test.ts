import { accounts, passwords, reports, signedInAsHeader } from '@riskboard/contract';
import { expect, test, vi } from 'vitest';
import { call } from '../../../../lib/api/call.ts';
import { pageOwner } from '../../../../lib/session/page-owner.ts';
import { onAccountChange, onSessionEnd } from '../../../../lib/session/session.ts';
import { newId, userOf } from '../../../../testing/rows.ts';
import { counted, refusal, useServer } from '../../../../testing/server.ts';
import { sendReport } from './send-report.ts';

useServer();

const file = new File(['{}'], 'apt1.json');

function stored() {
  const id = newId();
  return { success: true as const, action: 'created' as const, _id: id, id, stixVersion: '2.1', jobId: id };
}

function acceptAfterRefresh(onRefresh: () => void) {
  let isExpired = true;
  const upload = counted(reports.upload, () => (isExpired ? refusal('session_expired') : stored()));
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
  await sendReport(file, { extract: [], batchId: null, signal, onSent: () => undefined });
  expect(upload.times).toBe(2);
});

test('a report is sent again when a change of the password replaced the session while it was sent', async () => {
  const changed = Promise.withResolvers<void>();
  let times = 0;
  counted(reports.upload, async () => {
    times += 1;
    if (times > 1) return stored();
    await changed.promise;
    return refusal('session_expired');
  });
  counted(passwords.change, () => ({ success: true as const }));
  const renewal = counted(accounts.refresh, () => refusal('session_expired'));
  const { signal } = new AbortController();
  const sent = sendReport(file, { extract: [], batchId: null, signal, onSent: () => undefined });
  await vi.waitFor(() => expect(times).toBe(1));
  await call(passwords.change, { body: { current: 'a', password: 'b', revokeTokens: true } });
  changed.resolve();
  expect(await sent).toMatchObject({ action: 'created' });
  expect([times, renewal.times]).toEqual([2, 0]);
});

test('a report that a removed member sends ends the session with the reason, without a renewal', async () => {
  counted(reports.upload, () => refusal('access_ended', 'You no longer have access to Quay.'));
  const renewal = counted(accounts.refresh, () => refusal('session_expired'));
  const ended = vi.fn<(reason?: string) => void>();
  const stop = onSessionEnd(ended);
  const { signal } = new AbortController();
  const sent = sendReport(file, { extract: [], batchId: null, signal, onSent: () => undefined });
  await expect(sent).rejects.toMatchObject({ status: 401 });
  stop();
  expect(ended).toHaveBeenCalledExactlyOnceWith('You no longer have access to Quay.');
  expect(renewal.times).toBe(0);
});

test('a report that was cancelled while the session was renewed is not sent again', async () => {
  const abort = new AbortController();
  const upload = acceptAfterRefresh(() => abort.abort());
  const sent = sendReport(file, {
    extract: [],
    batchId: null,
    signal: abort.signal,
    onSent: () => undefined,
  });
  await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
  expect(upload.times).toBe(1);
});

test('a report names the account and organization that the tab showed at the start, and reports their change', async () => {
  const named: (string | null)[] = [];
  counted(reports.upload, ({ request }) => {
    named.push(request.headers.get(signedInAsHeader));
    return named.length === 1 ? refusal('session_expired') : refusal('session_changed');
  });
  counted(accounts.refresh, () => ({ user: userOf() }));
  const changed = vi.fn<() => void>();
  const stop = onAccountChange(changed);
  pageOwner.set('ada northwind');
  const { signal } = new AbortController();
  const sent = sendReport(file, { extract: [], batchId: null, signal, onSent: () => undefined });
  await expect(sent).rejects.toMatchObject({ status: 409, code: 'session_changed' });
  stop();
  expect(named).toEqual(['ada northwind', 'ada northwind']);
  expect(changed).toHaveBeenCalledOnce();
});
