import { jobs, type Job } from '@riskboard/contract';
import { call } from '../api/call.ts';
import { isFinalRefusal } from '../api/errors.ts';
import { withTimeLimit } from '../api/with-time-limit.ts';
import { isLive, jobStore } from './job-store.ts';

/** Polling interval in milliseconds, in case the socket delivers nothing. */
const pollEvery = 3000;

/** Jobs polled at once, so that thousands of uploads do not delay the other calls of the page. */
const mostPolled = 10;

interface Waiting {
  look(job: Job | undefined): void;
  refuse(error: unknown): void;
  stop(): void;
}

/** Those that wait, by job; the job that was polled last is at the end. */
const waiting = new Map<string, Set<Waiting>>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Jobs whose poll is not answered yet. */
const polled = new Set<string>();

async function poll(id: string): Promise<void> {
  if (polled.has(id)) return;
  polled.add(id);
  try {
    const job = await withTimeLimit((signal) => call(jobs.get, { params: { id }, signal }));
    jobStore.apply(job);
    for (const one of waiting.get(id) ?? []) one.look(job);
  } catch (error) {
    // The job or the session no longer exists.
    if (isFinalRefusal(error)) for (const one of waiting.get(id) ?? []) one.refuse(error);
  } finally {
    polled.delete(id);
  }
}

function pollNext(): void {
  const next = [...waiting].filter(([id]) => !polled.has(id)).slice(0, mostPolled - polled.size);
  for (const [id, set] of next) {
    waiting.delete(id);
    waiting.set(id, set);
    void poll(id);
  }
}

function add(id: string, one: Waiting): () => void {
  waiting.set(id, (waiting.get(id) ?? new Set()).add(one));
  timer ??= setInterval(pollNext, pollEvery);
  return () => {
    const set = waiting.get(id);
    set?.delete(one);
    if (set?.size === 0) waiting.delete(id);
    if (waiting.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/**
 * Waits until a job has ended, using the socket and polling. A poll without an answer is repeated.
 * @param mayHaveEnded the job is older than this page: it is polled at once
 * @throws {ApiError} a poll was refused: the job may have been deleted with its file
 */
export function endOfJob(id: string, { mayHaveEnded = false } = {}): Promise<Job> {
  return new Promise((resolve, reject) => {
    const look = (job: Job | undefined) => {
      if (job === undefined || isLive(job)) return;
      stop();
      resolve(job);
    };
    const unsubscribe = jobStore.subscribeTo([id], () => look(jobStore.find(id)));
    const remove = add(id, {
      look,
      refuse(error) {
        stop();
        reject(error);
      },
      stop: () => stop(),
    });
    function stop(): void {
      unsubscribe();
      remove();
    }
    look(jobStore.find(id));
    if (mayHaveEnded) void poll(id);
  });
}

/** Ends all waits, whose promises stay pending: the session has ended, and its jobs are not shown to the next one. */
export function abandonWaits(): void {
  for (const one of [...waiting.values()].flatMap((set) => [...set])) one.stop();
}
