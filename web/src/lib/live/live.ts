import {
  accounts,
  jobs,
  mostInSnapshot,
  signedInAsField,
  type Job,
  type ServerMessage,
} from '@riskboard/contract';
import type { QueryClient } from '@tanstack/react-query';
import { WebSocket as ReconnectingSocket } from 'partysocket';
import { call } from '../api/call.ts';
import { ApiError, isFinalRefusal } from '../api/errors.ts';
import { withTimeLimit } from '../api/with-time-limit.ts';
import { keepJobs } from '../jobs/kept-jobs.ts';
import { isLive, jobStore } from '../jobs/job-store.ts';
import { receiveMetrics } from '../overview/metrics-query.ts';
import { pageOwner } from '../session/page-owner.ts';
import { accountChanged } from '../session/session.ts';
import { liveState } from './live-state.ts';
import { createPulse } from './pulse.ts';
import { createSilentJobs } from './silent-jobs.ts';
import { createStaleMarker, isChange, refetchStale } from './stale.ts';

/** Failed attempts after which jobs are polled (stack, live progress). */
const failuresBeforePolling = 3;

/** Milliseconds. */
const pollEvery = 5000;

/** Each poll reads the jobs; one of this many also refetches what the page shows, which are several calls. */
const pollsPerRefresh = 3;

/** Active jobs, and ended ones, that are kept over a reload: the session storage holds a few MiB. */
const mostKept = 300;

/** Number of jobs that ended during a disconnect and are fetched individually; the job list has the rest. */
const mostUnseen = 20;

/**
 * Keeps the app's socket open: jobs go into the job store, changed nouns mark their queries stale. With each connection
 * the snapshot replaces the jobs, and everything shown is fetched again: events before `hello` were not received. That
 * includes the first connection, because a page loads its data before the socket opens.
 * @returns closes the socket
 */
export function startLive(queryClient: QueryClient): () => void {
  const stale = createStaleMarker(queryClient);
  const polling = createPolling(() => refetchStale(queryClient, { exceptFailed: true }));
  const silentJobs = createSilentJobs({
    isConnected: () => liveState.get() === 'live',
    onMissing: (id) => void learnEnd(id),
    onChanged: () => refetchStale(queryClient, { exceptFailed: true }),
  });
  const owner = pageOwner.get();
  let failures = 0;
  let isFirst = true;
  let stopped = false;

  const socket = new ReconnectingSocket(address, undefined, {
    minReconnectionDelay: 500,
    maxReconnectionDelay: 10_000,
    reconnectionDelayGrowFactor: 1.7,
    connectionTimeout: 8000,
  });

  async function address(): Promise<string> {
    if (failures > 0) await checkAccount();
    const query =
      owner === undefined ? '' : `?${new URLSearchParams({ [signedInAsField]: owner }).toString()}`;
    return `${location.origin.replace('http', 'ws')}/api/events${query}`;
  }

  /** After a close the session may have expired or be another one: this call renews it, leads to the login or reports it. */
  async function checkAccount(): Promise<void> {
    try {
      const { user } = await withTimeLimit((signal) => call(accounts.me, { signal }));
      if (!user.secondFactorRequired || user.secondFactor) return;
      // The server refuses the socket until the second factor is set up.
      stop();
      accountChanged();
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) stop();
    }
  }

  const pulse = createPulse({
    send: (text) => {
      if (socket.readyState === ReconnectingSocket.OPEN) socket.send(text);
    },
    onLost: () => socket.reconnect(),
  });

  function receive(data: unknown): void {
    const message = parse(data);
    if (!isKnown(message)) return;
    pulse.heard(message.type === 'pong');
    handle(message);
  }

  function handle(message: ServerMessage): void {
    if (message.type === 'hello') return connected();
    if (message.type === 'pong') return;
    if (message.type === 'snapshot') {
      takeSnapshot(message.jobs, message.jobs.length < mostInSnapshot);
      return;
    }
    if (message.type === 'metrics.updated') {
      receiveMetrics(queryClient, message.metrics);
      return stale.mark(message.type);
    }
    if (message.type !== 'job.updated') return stale.mark(message.type);
    silentJobs.heard(message.job._id);
    const change = jobStore.apply(message.job);
    // Progress is in the event itself; only a new state changes the lists.
    if (change !== null && change.before?.state !== message.job.state) stale.mark(message.type);
  }

  function connected(): void {
    failures = 0;
    polling.stop();
    pulse.start();
    liveState.set('live');
    // A load from before may never end: its connection may be lost too.
    refetchStale(queryClient, { exceptFailed: isFirst, cancelRefetch: true });
    isFirst = false;
  }

  function lost(): void {
    pulse.stop();
    if (stopped) return;
    failures += 1;
    if (!navigator.onLine) liveState.set('offline');
    // What the poll has found holds until the server answers again.
    else if (liveState.get() !== 'offline') liveState.set('reconnecting');
    if (failures >= failuresBeforePolling) polling.start();
  }

  /** Active and ended jobs, as many as the session storage holds. */
  function keep(): void {
    const known = [...jobStore.get().values()];
    const live = known.filter(isLive).slice(-mostKept);
    keepJobs([...known.filter((job) => !isLive(job)).slice(-mostKept), ...live]);
  }

  const online = () => socket.reconnect();
  const offline = () => liveState.set('offline');

  function stop(): void {
    stopped = true;
    window.removeEventListener('pagehide', keep);
    window.removeEventListener('online', online);
    window.removeEventListener('offline', offline);
    stale.stop();
    polling.stop();
    silentJobs.stop();
    pulse.stop();
    socket.close();
    jobStore.clear();
    liveState.set('reconnecting');
  }

  socket.addEventListener('message', (event) => receive(event.data));
  socket.addEventListener('close', lost);
  window.addEventListener('pagehide', keep);
  window.addEventListener('online', online);
  window.addEventListener('offline', offline);
  return stop;
}

/** The jobs that a snapshot has (contract, `mostInSnapshot`), and whether there are no others. */
async function unfinishedJobs(signal: AbortSignal): Promise<{ listed: Job[]; isComplete: boolean }> {
  const query = { state: ['queued', 'running'], sort: '-state', pageSize: 500 } as const;
  const listed: Job[] = [];
  let cursor: string | undefined;
  do {
    const next = cursor === undefined ? {} : { cursor };
    const reply = await call(jobs.list, { query: { ...query, state: [...query.state], ...next }, signal });
    listed.push(...reply.jobs);
    cursor = reply.nextCursor ?? undefined;
  } while (cursor !== undefined && listed.length < mostInSnapshot);
  return { listed, isComplete: cursor === undefined };
}

/**
 * Polls jobs while the socket is closed. The next poll begins when the last one has ended, so that no answer is applied
 * after a newer one.
 * @param refresh refetches what the page shows: at intervals, because no event says what has changed, and when a job has
 * ended
 */
function createPolling(refresh: () => void) {
  let timer: ReturnType<typeof setInterval> | undefined;
  let polls = 0;
  let running: symbol | undefined;

  async function poll(): Promise<void> {
    if (running !== undefined) return;
    const own = Symbol('poll');
    running = own;
    try {
      const { listed, isComplete } = await withTimeLimit(unfinishedJobs);
      if (running !== own) return;
      const hasEnded = takeSnapshot(listed, isComplete);
      if (hasEnded || polls % pollsPerRefresh === 0) refresh();
      polls += 1;
      liveState.set('reconnecting');
    } catch {
      if (running === own) liveState.set('offline');
    } finally {
      if (running === own) running = undefined;
    }
  }

  return {
    start(): void {
      if (timer !== undefined) return;
      polls = 0;
      timer = setInterval(() => void poll(), pollEvery);
      void poll();
    },
    stop(): void {
      clearInterval(timer);
      timer = undefined;
      running = undefined;
    },
  };
}

/** @returns whether jobs have ended since the last snapshot */
function takeSnapshot(listed: readonly Job[], isComplete: boolean): boolean {
  const missing = jobStore.applyList({ jobs: listed, isComplete });
  // A job stays as it was shown until its end is known; removed, its file would show an earlier state.
  for (const id of missing.slice(0, mostUnseen)) void learnEnd(id);
  for (const id of missing.slice(mostUnseen)) jobStore.remove(id);
  return missing.length > 0;
}

async function learnEnd(id: string): Promise<void> {
  try {
    jobStore.applyRead(await call(jobs.get, { params: { id } }));
  } catch (error) {
    // Deleted with its file. Another failure says nothing about the job, and the next check of silent jobs repeats the call.
    if (isFinalRefusal(error)) jobStore.remove(id);
  }
}

/** Whether this version knows the message; a newer server may send others. */
function isKnown(message: unknown): message is ServerMessage {
  const { type, jobs: all, job, metrics } = (message ?? {}) as Record<string, unknown>;
  if (type === 'snapshot') return Array.isArray(all);
  if (type === 'job.updated') return typeof job === 'object' && job !== null;
  if (type === 'metrics.updated') return typeof metrics === 'object' && metrics !== null;
  return type === 'hello' || type === 'pong' || isChange(type);
}

function parse(data: unknown): unknown {
  try {
    return JSON.parse(String(data));
  } catch {
    return null;
  }
}
