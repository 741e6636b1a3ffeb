import { accounts, errors, jobs, passwords, reports, signedInAsHeader } from '@riskboard/contract';
import { HttpResponse, http } from 'msw';
import { describe, expect, test, vi } from 'vitest';
import { jobOf, userOf } from '../../testing/rows.ts';
import { counted, refusal, server, useServer } from '../../testing/server.ts';
import { meQuery } from '../session/account.ts';
import { pageOwner } from '../session/page-owner.ts';
import { onAccountChange, onSessionEnd } from '../session/session.ts';
import { ApiError, UnreachableError } from './errors.ts';
import { addressOf, call } from './call.ts';
import { createQueryClient } from './query-client.ts';

useServer();

const noFiles = { files: [], total: 0, page: 1, pageSize: 10, nextCursor: null };

/** Refuses the first `calls` requests for files after all of them have arrived, as an expired session would. */
function expireSession(calls = 1) {
  const { promise: allCame, resolve } = Promise.withResolvers<void>();
  let came = 0;
  const files = counted(reports.files, async () => {
    came += 1;
    if (came > calls) return noFiles;
    if (came === calls) resolve();
    await allCame;
    return refusal('session_expired');
  });
  const refresh = counted(accounts.refresh, () => ({ user: userOf() }));
  return { files, refresh };
}

function listenForEnd() {
  const ended = vi.fn<() => void>();
  const stop = onSessionEnd(ended);
  return { ended, stop };
}

/** Locks as of a browser: the work of one caller at a time. */
function queuedLocks() {
  let previous: Promise<unknown> = Promise.resolve();
  return {
    async request<T>(_name: string, work: () => Promise<T>): Promise<T> {
      const result = previous.then(work);
      previous = result.catch(() => undefined);
      return result;
    },
  };
}

/** The time limits of calls, which end when the test aborts them. */
function abortableLimits(): AbortController[] {
  const limits: AbortController[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const limit = new AbortController();
    limits.push(limit);
    return limit.signal;
  });
  return limits;
}

describe('requests', () => {
  test('a request carries path parameters, repeats multi-value query fields and omits absent ones', () => {
    expect(addressOf(jobs.list, { query: { state: ['queued', 'running'], page: 2, kind: undefined } })).toBe(
      '/api/jobs?state=queued&state=running&page=2',
    );
    expect(addressOf(jobs.get, { params: { id: 'a/b' } })).toBe('/api/jobs/a%2Fb');
  });

  test('a body is sent as JSON; a request without a body has no content type', async () => {
    counted(accounts.login, async ({ request }) => {
      expect(request.headers.get('content-type')).toBe('application/json');
      expect(await request.json()).toEqual({ email: 'ada@example.org', password: 'x' });
      return { user: userOf() };
    });
    counted(jobs.cancel, ({ request }) => {
      expect(request.headers.has('content-type')).toBe(false);
      return jobOf({ state: 'cancelled' });
    });
    const { user } = await call(accounts.login, { body: { email: 'ada@example.org', password: 'x' } });
    expect(user.firstName).toBe('Ada');
    const job = await call(jobs.cancel, { params: { id: '0199f000-0000-7000-8000-000000000001' } });
    expect(job.state).toBe('cancelled');
  });
});

describe('failures', () => {
  test('a refusal carries status, code, message, field details and request id', async () => {
    const details = [{ path: 'email', message: 'This email is already in use.' }];
    counted(accounts.signup, () => refusal('invalid', undefined, details));
    const body = { email: 'ada@example.org', password: 'correct horse battery', firstName: 'Ada' };
    const error = await call(accounts.signup, { body }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 422,
      code: 'invalid',
      message: errors.invalid.fallback,
      requestId: 'request-1',
      details,
    });
  });

  test('an HTML answer of a proxy becomes an error with the product’s own text', async () => {
    server.use(
      http.get('*/api/reports/files', () => new HttpResponse('<h1>Bad gateway</h1>', { status: 502 })),
    );
    await expect(call(reports.files)).rejects.toMatchObject({
      status: 502,
      message: errors.unavailable.fallback,
    });
  });

  test('a call without an answer throws UnreachableError', async () => {
    server.use(http.get('*/api/reports/files', () => HttpResponse.error()));
    await expect(call(reports.files)).rejects.toBeInstanceOf(UnreachableError);
  });

  test('a change whose answer does not arrive in time throws UnreachableError; a read has no limit', async () => {
    const limits = abortableLimits();
    counted(reports.files, () => noFiles);
    await call(reports.files);
    expect(limits).toEqual([]);
    const cancel = counted(jobs.cancel, () => new Promise<Response>(() => undefined));
    const change = call(jobs.cancel, { params: { id: '0199f000-0000-7000-8000-000000000001' } });
    const failure = change.catch((error: unknown) => error);
    await vi.waitFor(() => expect(cancel.times).toBe(1));
    limits[0]?.abort();
    expect(await failure).toBeInstanceOf(UnreachableError);
  });

  test('an aborted call throws AbortError', async () => {
    counted(reports.files, () => noFiles);
    const abort = new AbortController();
    abort.abort();
    await expect(call(reports.files, { signal: abort.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});

describe('an expired session', () => {
  test('is renewed once for all failed calls, and each call is repeated', async () => {
    const { files, refresh } = expireSession(3);
    const replies = await Promise.all([call(reports.files), call(reports.files), call(reports.files)]);
    expect(replies).toEqual([noFiles, noFiles, noFiles]);
    expect(refresh.times).toBe(1);
    expect(files.times).toBe(6);
  });

  test('is not renewed again when another tab has renewed it', async () => {
    let calls = 0;
    counted(reports.files, () => {
      calls += 1;
      if (calls > 1) return noFiles;
      localStorage.setItem('riskboard.refreshes', '1');
      return refusal('session_expired');
    });
    const refresh = counted(accounts.refresh, () => ({ user: userOf() }));
    expect(await call(reports.files)).toEqual(noFiles);
    expect(refresh.times).toBe(0);
  });

  test('is not renewed again when another tab renews it while this one waits for the lock', async () => {
    const request = vi.fn<(name: string, work: () => Promise<boolean>) => Promise<boolean>>((_, work) => {
      localStorage.setItem('riskboard.refreshes', '1');
      return work();
    });
    vi.stubGlobal('navigator', { locks: { request } });
    const { refresh } = expireSession();
    expect(await call(reports.files)).toEqual(noFiles);
    expect(request).toHaveBeenCalledOnce();
    expect(refresh.times).toBe(0);
  });

  test('is renewed again after the clock was set back', async () => {
    expireSession();
    await call(reports.files);
    vi.setSystemTime('2001-01-01T00:00:00Z');
    try {
      const { refresh } = expireSession();
      await call(reports.files);
      expect(refresh.times).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });

  test('is renewed for each refusal where storage is disabled', async () => {
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new Error('disabled');
    });
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new Error('disabled');
    });
    const first = expireSession(2);
    await Promise.all([call(reports.files), call(reports.files)]);
    expect(first.refresh.times).toBe(1);
    const second = expireSession();
    await call(reports.files);
    expect(second.refresh.times).toBe(1);
  });

  test('is renewed under a lock shared by all tabs', async () => {
    const request = vi.fn<(name: string, work: () => Promise<boolean>) => Promise<boolean>>((_, work) =>
      work(),
    );
    vi.stubGlobal('navigator', { locks: { request } });
    expireSession();
    await call(reports.files);
    expect(request).toHaveBeenCalledExactlyOnceWith('riskboard.refresh', expect.any(Function));
  });

  test('that cannot be renewed ends: listeners are notified and the refusal is thrown', async () => {
    const { ended, stop } = listenForEnd();
    counted(reports.files, () => refusal('session_expired'));
    counted(accounts.refresh, () => refusal('session_expired'));
    await expect(call(reports.files)).rejects.toMatchObject({ status: 401, code: 'session_expired' });
    expect(ended).toHaveBeenCalledOnce();
    stop();
  });

  test('is kept when the server cannot be reached for a renewal', async () => {
    const { ended, stop } = listenForEnd();
    counted(reports.files, () => refusal('session_expired'));
    counted(accounts.refresh, () => refusal('unavailable'));
    await expect(call(reports.files)).rejects.toBeInstanceOf(UnreachableError);
    expect(ended).not.toHaveBeenCalled();
    stop();
  });

  test('is renewed by a repeat when the answer to the renewal is lost', async () => {
    expireSession();
    const answers = [HttpResponse.error(), { user: userOf() }];
    const refresh = counted(accounts.refresh, () => answers.shift());
    expect(await call(reports.files)).toEqual(noFiles);
    expect(refresh.times).toBe(2);
  });

  test('does not block later calls when answers to its renewal never arrive', async () => {
    const limits = abortableLimits();
    vi.stubGlobal('navigator', { locks: queuedLocks() });
    expireSession();
    const refresh = counted(accounts.refresh, () => new Promise<Response>(() => undefined));
    const first = call(reports.files);
    const failure = first.catch((error: unknown) => error);
    for (let renewal = 1; renewal <= 2; renewal += 1) {
      await vi.waitFor(() => expect(refresh.times).toBe(renewal));
      limits.at(-1)?.abort();
    }
    expect(await failure).toBeInstanceOf(UnreachableError);
    expireSession();
    expect(await call(reports.files)).toEqual(noFiles);
  });

  test('is not renewed by endpoints that need no session', async () => {
    const { ended, stop } = listenForEnd();
    const refresh = counted(accounts.refresh, () => ({ user: userOf() }));
    counted(accounts.logout, () => refusal('session_expired'));
    await expect(call(accounts.logout)).rejects.toMatchObject({ code: 'session_expired' });
    expect(refresh.times).toBe(0);
    expect(ended).not.toHaveBeenCalled();
    stop();
  });

  test('is not assumed when a password is wrong', async () => {
    const refresh = counted(accounts.refresh, () => ({ user: userOf() }));
    counted(accounts.login, () => refusal('invalid_credentials'));
    await expect(call(accounts.login, { body: { email: 'a', password: 'b' } })).rejects.toMatchObject({
      code: 'invalid_credentials',
    });
    expect(refresh.times).toBe(0);
  });
});

describe('a call whose success replaces the session', () => {
  const body = { current: 'correct horse battery', password: 'another long password', revokeTokens: true };
  const changed = { success: true } as const;

  test.each([true, false])(
    'is not overlapped by a renewal: a call that is refused meanwhile is repeated afterwards (locks: %s)',
    async (withLocks) => {
      vi.stubGlobal('navigator', withLocks ? { locks: queuedLocks() } : {});
      const { ended, stop } = listenForEnd();
      const { files, refresh } = expireSession();
      const refused = Promise.withResolvers<void>();
      counted(passwords.change, async () => {
        await refused.promise;
        return changed;
      });
      const changing = call(passwords.change, { body });
      const other = call(reports.files);
      await vi.waitFor(() => expect(files.times).toBe(1));
      // The renewal after the refusal would have been sent by now.
      await new Promise((resolve) => setTimeout(resolve, 20));
      refused.resolve();
      expect(await Promise.all([changing, other])).toEqual([changed, noFiles]);
      expect([files.times, refresh.times]).toEqual([2, 0]);
      expect(ended).not.toHaveBeenCalled();
      stop();
    },
  );

  test('is repeated after the renewal of an expired session', async () => {
    vi.stubGlobal('navigator', { locks: queuedLocks() });
    const { refresh } = expireSession();
    let calls = 0;
    counted(passwords.change, () => {
      calls += 1;
      return calls === 1 ? refusal('session_expired') : changed;
    });
    expect(await call(passwords.change, { body })).toEqual(changed);
    expect([calls, refresh.times]).toEqual([2, 1]);
  });

  test('is no renewal when it is refused', async () => {
    counted(passwords.change, () => refusal('wrong_password'));
    await expect(call(passwords.change, { body })).rejects.toMatchObject({ code: 'wrong_password' });
    const { refresh } = expireSession();
    await call(reports.files);
    expect(refresh.times).toBe(1);
  });
});

describe('the account and organization that the tab shows', () => {
  const shownBy = ({ request }: { request: Request }) => request.headers.get(signedInAsHeader);

  test('are named by every call, also when it is repeated after a renewal of the session', async () => {
    const named: (string | null)[] = [];
    counted(accounts.refresh, () => ({ user: userOf() }));
    counted(reports.files, (received) => {
      named.push(shownBy(received));
      return named.length === 1 ? refusal('session_expired') : noFiles;
    });
    pageOwner.set('ada northwind');
    await call(reports.files);
    expect(named).toEqual(['ada northwind', 'ada northwind']);
  });

  test('are not named before the login, nor by the call that asks who is signed in', async () => {
    const named: (string | null)[] = [];
    counted(accounts.me, (received) => {
      named.push(shownBy(received));
      return { user: userOf() };
    });
    await call(accounts.me);
    pageOwner.set('ada northwind');
    await createQueryClient().fetchQuery(meQuery);
    await call(accounts.me);
    expect(named).toEqual([null, null, 'ada northwind']);
  });

  test('a refusal because they have changed is reported, and the call is not repeated', async () => {
    const changed = vi.fn<() => void>();
    const stop = onAccountChange(changed);
    const files = counted(reports.files, () => refusal('session_changed'));
    pageOwner.set('ada northwind');
    await expect(call(reports.files)).rejects.toMatchObject({ code: 'session_changed', status: 409 });
    stop();
    expect(files.times).toBe(1);
    expect(changed).toHaveBeenCalledOnce();
  });

  test.each([
    ['an answer', 1],
    ['the answer to a call that is repeated after a renewal of the session', 2],
  ])('%s that arrives after the tab has changed to others is refused', async (_what, changedAt) => {
    counted(accounts.refresh, () => ({ user: userOf() }));
    const files = counted(reports.files, () => {
      if (files.times < changedAt) return refusal('session_expired');
      pageOwner.set('ada harbour');
      return noFiles;
    });
    pageOwner.set('ada northwind');
    const late = call(reports.files);
    await expect(late).rejects.toMatchObject({ code: 'session_changed' });
    await expect(late).rejects.toThrow('before the answer arrived');
    expect(files.times).toBe(changedAt);
  });
});
