import { accounts, closeCodes, type Job, jobs } from '@riskboard/contract';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeSocket, stubSockets } from '../../testing/fake-socket.ts';
import { jobOf, userOf } from '../../testing/rows.ts';
import { counted, refusal, useServer } from '../../testing/server.ts';
import { jobStore } from '../jobs/job-store.ts';
import { pageOwner } from '../session/page-owner.ts';
import { onAccountChange, onSessionEnd } from '../session/session.ts';
import { liveState } from './live-state.ts';
import { startLive } from './live.ts';

useServer();

const hello = { type: 'hello' };
const snapshot = (...rows: object[]) => ({ type: 'snapshot', jobs: rows });

let queryClient: QueryClient;
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  stubSockets();
  queryClient = new QueryClient();
  vi.spyOn(queryClient, 'invalidateQueries');
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

/** Waits for the `count`th socket and returns it; advances the timers meanwhile. */
const socketNumber = (count: number) =>
  vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(500);
    const socket = FakeSocket.opened[count - 1];
    if (socket === undefined) throw new Error(`No socket ${count} yet`);
    return socket;
  });

async function connect(...rows: object[]): Promise<FakeSocket> {
  stop = startLive(queryClient);
  const socket = await socketNumber(1);
  socket.open(hello, snapshot(...rows));
  vi.mocked(queryClient.invalidateQueries).mockClear();
  return socket;
}

const staleKeys = () =>
  vi.mocked(queryClient.invalidateQueries).mock.calls.map(([filter]) => filter?.queryKey);

test('hello sets the state to live and the snapshot fills the job store', async () => {
  const job = jobOf({ state: 'running' });
  const socket = await connect(job);
  expect(socket.url).toBe('ws://localhost:3000/api/events');
  expect(liveState.get()).toBe('live');
  expect(jobStore.find(job._id)).toEqual(job);
});

test('the first hello refetches what the page shows: events since the page load were not received', async () => {
  let rows = 'at page load';
  const query = new QueryObserver(queryClient, {
    queryKey: ['threats', 'list'],
    queryFn: () => rows,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const unsubscribe = query.subscribe(() => undefined);
  await vi.waitFor(() => expect(query.getCurrentResult().data).toBe('at page load'));
  rows = 'changed before the socket opened';
  await connect();
  await vi.waitFor(() => expect(query.getCurrentResult().data).toBe(rows));
  unsubscribe();
});

test('progress updates only the job; a new state marks the lists stale', async () => {
  const job = jobOf({ state: 'running', version: 1 });
  const socket = await connect(job);
  socket.receive({
    type: 'job.updated',
    job: { ...job, version: 2, progress: { phase: 'reading', done: 1, total: 2 } },
  });
  await vi.advanceTimersByTimeAsync(1000);
  expect(jobStore.find(job._id)?.progress.done).toBe(1);
  expect(staleKeys()).toEqual([]);
  socket.receive({ type: 'job.updated', job: { ...job, version: 3, state: 'succeeded' } });
  await vi.advanceTimersByTimeAsync(1000);
  expect(staleKeys()).toEqual([['jobs'], ['reports'], ['imports'], ['batches'], ['activity']]);
});

test('many changes of a noun mark its queries stale once', async () => {
  const socket = await connect();
  for (let count = 1; count <= 20; count += 1) {
    socket.receive({ type: 'threat.changed', count, action: 'created', by: null });
  }
  await vi.advanceTimersByTimeAsync(1000);
  expect(staleKeys()).toEqual([
    ['threats'],
    ['vulnerabilities', 'related'],
    ['vulnerabilities', 'graph'],
    ['reports'],
    ['assets'],
    ['projects'],
    ['search'],
    ['overview'],
    ['activity'],
  ]);
});

test('messages outside the contract are ignored', async () => {
  const socket = await connect();
  socket.receive('not json');
  socket.receive({ type: 'something.new' });
  socket.receive({ type: 'job.updated', job: { _id: 'x' } });
  await vi.advanceTimersByTimeAsync(1000);
  expect(staleKeys()).toEqual([]);
  expect(liveState.get()).toBe('live');
});

test('a reconnect marks everything stale and fetches the jobs that ended meanwhile', async () => {
  counted(accounts.me, () => ({ user: userOf() }));
  const job = jobOf({ state: 'running', version: 1 });
  const ended = { ...job, version: 7, state: 'succeeded' as const };
  counted(jobs.get, () => ended);
  const first = await connect(job);
  first.drop();
  expect(liveState.get()).toBe('reconnecting');
  const second = await socketNumber(2);
  vi.mocked(queryClient.invalidateQueries).mockClear();
  second.open(hello, snapshot());
  expect(liveState.get()).toBe('live');
  expect(staleKeys()).toEqual([[]]);
  await vi.waitFor(() => expect(jobStore.find(job._id)).toEqual(ended));
});

test('the end of a run whose progress a crash of PostgreSQL lost is shown, though its version is older', async () => {
  counted(accounts.me, () => ({ user: userOf() }));
  const job = jobOf({ state: 'running', version: 4, attempt: 1 });
  const ended = { ...job, version: 3, state: 'succeeded' as const };
  counted(jobs.get, () => ended);
  (await connect(job)).drop();
  (await socketNumber(2)).open(hello, snapshot());
  await vi.waitFor(() => expect(jobStore.find(job._id)).toEqual(ended));
});

test('a reply about an earlier run does not replace the run that has started since', async () => {
  const job = jobOf({ state: 'running', version: 4, attempt: 2 });
  await connect(job);
  expect(jobStore.applyRead({ ...job, version: 3, attempt: 1, state: 'failed' })).toBeNull();
  expect(jobStore.find(job._id)).toEqual(job);
});

const pageOf = (...rows: Job[]) => ({
  jobs: rows,
  total: rows.length,
  page: 1,
  pageSize: 50,
  nextCursor: null,
});

test('a job whose end was lost while the connection stayed open is read again, and what the page shows', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  const lost = jobOf({ state: 'running', version: 1 });
  const deleted = jobOf({ state: 'running', version: 1 });
  const reporting = jobOf({ state: 'running', version: 1 });
  const ended = { ...lost, version: 7, state: 'succeeded' as const };
  let failing = true;
  const list = counted(jobs.list, ({ url }) => {
    expect(url.searchParams.getAll('ids').toSorted()).toEqual([lost._id, deleted._id].toSorted());
    return failing ? refusal('unavailable') : pageOf(ended);
  });
  counted(jobs.get, () => refusal('not_found'));
  const socket = await connect(lost, deleted, reporting);
  const check = async (at: number) => {
    clock.mockReturnValue(at - 1000);
    socket.receive({ type: 'job.updated', job: { ...reporting, version: at } });
    clock.mockReturnValue(at);
    await vi.advanceTimersByTimeAsync(30_000);
  };
  await check(30_000);
  expect(list.times).toBe(0);
  await check(60_000);
  await vi.waitFor(() => expect(list.times).toBeGreaterThan(0));
  failing = false;
  await check(90_000);
  await vi.waitFor(() => expect(jobStore.find(lost._id)).toEqual(ended));
  await vi.waitFor(() => expect(jobStore.find(deleted._id)).toBeUndefined());
  expect(staleKeys()).toEqual([[]]);
  expect(jobStore.find(reporting._id)?.state).toBe('running');
  clock.mockRestore();
});

const pong = { type: 'pong' };
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);

test('a server that no longer answers is connected to again', async () => {
  counted(accounts.me, () => ({ user: userOf() }));
  const socket = await connect();
  expect(socket.sent).toEqual(['ping']);
  socket.receive(pong);
  await seconds(30);
  socket.receive(pong);
  await seconds(30);
  expect(socket.sent).toHaveLength(3);
  await seconds(5);
  expect(FakeSocket.opened).toHaveLength(1);
  expect(liveState.get()).toBe('live');
  await seconds(5);
  expect(liveState.get()).toBe('reconnecting');
  (await socketNumber(2)).open(hello, snapshot(), pong);
  expect(liveState.get()).toBe('live');
});

test('a page that is shown again asks at once, and any message is an answer', async () => {
  const socket = await connect();
  socket.receive(pong);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(socket.sent).toHaveLength(2);
  await seconds(9);
  socket.receive({ type: 'threat.changed', count: 1, action: 'created', by: null });
  await seconds(9);
  expect(FakeSocket.opened).toHaveLength(1);
});

test('a server that does not know the question is not expected to answer', async () => {
  const socket = await connect();
  await seconds(120);
  expect(socket.sent.length).toBeGreaterThan(2);
  expect(FakeSocket.opened).toHaveLength(1);
  expect(liveState.get()).toBe('live');
});

test('jobs are polled after 3 failures until the socket reconnects', async () => {
  counted(accounts.me, () => ({ user: userOf() }));
  const job = jobOf({ state: 'running' });
  const list = counted(jobs.list, ({ request }) => {
    expect(new URL(request.url).searchParams.getAll('state')).toEqual(['queued', 'running']);
    return { jobs: [job], total: 1, page: 1, pageSize: 500, nextCursor: null };
  });
  stop = startLive(queryClient);
  for (let failure = 1; failure <= 3; failure += 1) {
    expect(list.times).toBe(0);
    (await socketNumber(failure)).drop();
  }
  await vi.waitFor(() => expect(jobStore.find(job._id)).toEqual(job));
  expect(liveState.get()).toBe('reconnecting');
  (await socketNumber(4)).open(hello, snapshot(job));
  expect(liveState.get()).toBe('live');
  const polled = list.times;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(list.times).toBe(polled);
});

test('polling refetches what the page shows at every third poll, and when a job has ended', async () => {
  counted(accounts.me, () => ({ user: userOf() }));
  const job = jobOf({ state: 'running', version: 1 });
  const ended = { ...job, version: 2, state: 'succeeded' as const };
  counted(jobs.get, () => ended);
  let active = [job];
  const list = counted(jobs.list, () => ({
    jobs: active,
    total: active.length,
    page: 1,
    pageSize: 500,
    nextCursor: null,
  }));
  const polls = (times: number) =>
    vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(1000);
      expect(list.times).toBe(times);
    });
  stop = startLive(queryClient);
  for (let failure = 1; failure <= 3; failure += 1) (await socketNumber(failure)).drop();
  await polls(1);
  await vi.waitFor(() => expect(staleKeys()).toEqual([[]]));
  await polls(3);
  expect(staleKeys()).toEqual([[]]);
  await polls(4);
  await vi.waitFor(() => expect(staleKeys()).toEqual([[], []]));
  active = [];
  await polls(5);
  await vi.waitFor(() => expect(jobStore.find(job._id)).toEqual(ended));
  expect(staleKeys()).toEqual([[], [], []]);
});

test('a poll begins only after the answer to the last one, or when that one has taken too long', async () => {
  counted(accounts.me, () => ({ user: userOf() }));
  const job = jobOf({ state: 'running' });
  const held = Array.from({ length: 2 }, () => Promise.withResolvers<void>());
  const list = counted(jobs.list, async () => {
    await held[list.times - 1]?.promise;
    return pageOf(job);
  });
  stop = startLive(queryClient);
  for (let failure = 1; failure <= 3; failure += 1) (await socketNumber(failure)).drop();
  await vi.waitFor(() => expect(list.times).toBe(1));
  await seconds(20);
  expect(list.times).toBe(1);
  held[0]?.resolve();
  await vi.waitFor(() => expect(jobStore.find(job._id)).toEqual(job));
  await seconds(5);
  await vi.waitFor(() => expect(list.times).toBe(2));
  await seconds(20);
  expect(list.times).toBe(2);
  await vi.waitFor(async () => {
    await seconds(1);
    expect(list.times).toBe(3);
  });
});

test('polling reads the pages of unfinished jobs, running ones first', async () => {
  counted(accounts.me, () => ({ user: userOf() }));
  const [running, queued] = [jobOf({ state: 'running' }), jobOf({ state: 'queued' })];
  const cursors: (string | null)[] = [];
  counted(jobs.list, ({ request }) => {
    const { searchParams } = new URL(request.url);
    expect(searchParams.get('sort')).toBe('-state');
    cursors.push(searchParams.get('cursor'));
    const isFirst = searchParams.get('cursor') === null;
    return {
      jobs: [isFirst ? running : queued],
      total: 2,
      page: 1,
      pageSize: 500,
      nextCursor: isFirst ? 'next' : null,
    };
  });
  stop = startLive(queryClient);
  for (let failure = 1; failure <= 3; failure += 1) (await socketNumber(failure)).drop();
  await vi.waitFor(() => expect(jobStore.find(queued._id)).toEqual(queued));
  expect(jobStore.find(running._id)).toEqual(running);
  expect(cursors.slice(0, 2)).toEqual([null, 'next']);
});

test('failed polling sets the state to offline', async () => {
  counted(accounts.me, () => refusal('unavailable'));
  counted(jobs.list, () => refusal('unavailable'));
  stop = startLive(queryClient);
  for (let failure = 1; failure <= 3; failure += 1) (await socketNumber(failure)).drop();
  await vi.waitFor(() => expect(liveState.get()).toBe('offline'));
});

test('the state stays offline while attempts to connect fail, until the server answers a poll', async () => {
  let answers = false;
  counted(accounts.me, () => (answers ? { user: userOf() } : HttpResponse.error()));
  counted(jobs.list, () => (answers ? pageOf() : HttpResponse.error()));
  const states: string[] = [];
  const unsubscribe = liveState.subscribe(() => states.push(liveState.get()));
  stop = startLive(queryClient);
  for (let failure = 1; failure <= 3; failure += 1) (await socketNumber(failure)).drop();
  await vi.waitFor(() => expect(liveState.get()).toBe('offline'));
  for (let failure = 4; failure <= 6; failure += 1) (await socketNumber(failure)).drop();
  expect(states).toEqual(['offline']);
  answers = true;
  await vi.waitFor(async () => {
    await seconds(1);
    expect(liveState.get()).toBe('reconnecting');
  });
  unsubscribe();
});

test('an ended session (4401) ends the connection for good', async () => {
  counted(accounts.me, () => refusal('session_expired'));
  counted(accounts.refresh, () => refusal('session_expired'));
  const ended = vi.fn<() => void>();
  const stopListening = onSessionEnd(ended);
  const socket = await connect();
  socket.drop(closeCodes.sessionEnded);
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(500);
    expect(ended).toHaveBeenCalledOnce();
  });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(FakeSocket.opened).toHaveLength(1);
  stopListening();
});

test('a session that this browser has replaced (4401) opens the connection again without ending the session', async () => {
  const ended = vi.fn<() => void>();
  const stopListening = onSessionEnd(ended);
  counted(accounts.me, () => ({ user: userOf() }));
  const socket = await connect();
  socket.drop(closeCodes.sessionEnded);
  (await socketNumber(2)).open(hello, snapshot());
  expect(liveState.get()).toBe('live');
  expect(ended).not.toHaveBeenCalled();
  stopListening();
});

test('a missing second factor that is now required ends the connection and reports the account', async () => {
  counted(accounts.me, () => ({ user: userOf({ secondFactorRequired: true }) }));
  const changed = vi.fn<() => void>();
  const stopListening = onAccountChange(changed);
  const socket = await connect();
  socket.drop(closeCodes.sessionEnded);
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(500);
    expect(changed).toHaveBeenCalledOnce();
  });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(FakeSocket.opened).toHaveLength(1);
  stopListening();
});

test('the socket names the account and organization of the tab, also after the tab has changed', async () => {
  pageOwner.set('ada northwind');
  counted(accounts.me, () => ({ user: userOf() }));
  const socket = await connect();
  pageOwner.set('ada harbour');
  socket.drop();
  const second = await socketNumber(2);
  const address = 'ws://localhost:3000/api/events?signedInAs=ada+northwind';
  expect([socket.url, second.url]).toEqual([address, address]);
});

test('polling reports another account or organization', async () => {
  counted(accounts.me, () => HttpResponse.error());
  counted(jobs.list, () => refusal('session_changed'));
  const changed = vi.fn<() => void>();
  const stopListening = onAccountChange(changed);
  stop = startLive(queryClient);
  for (let failure = 1; failure <= 3; failure += 1) (await socketNumber(failure)).drop();
  await vi.waitFor(() => expect(changed).toHaveBeenCalled());
  stopListening();
});

test('stopping closes the socket and clears the job store', async () => {
  const socket = await connect(jobOf({ state: 'running' }));
  stop();
  expect(socket.readyState).toBe(FakeSocket.CLOSED);
  expect(jobStore.get().size).toBe(0);
});
