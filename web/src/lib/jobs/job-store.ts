import type { Job } from '@riskboard/contract';
import { useCallback, useMemo, useSyncExternalStore } from 'react';

/** Whether the job waits for a worker or runs. */
export const isLive = ({ state }: Pick<Job, 'state'>): boolean => state === 'queued' || state === 'running';

export type JobMap = ReadonlyMap<string, Job>;

/** Milliseconds for which changes are collected before listeners are notified: 3,000 jobs report 15,000 times a second. */
const gather = 100;

/** Ended jobs that are kept; the server has the others. */
export const mostEnded = 1000;

/** Versions of forgotten jobs that are kept, so that a late delta does not show an ended job as running. */
const mostForgotten = 20_000;

/** A list of active jobs from the server. */
interface Snapshot {
  readonly jobs: readonly Job[];
  /** Whether the list has all active jobs, or as many as the server sends at once. */
  readonly isComplete: boolean;
}

/** Listeners by the id of a job or a file; both are UUIDs. */
function createListeners() {
  const byKey = new Map<string, Set<() => void>>();
  return {
    add(keys: readonly string[], listener: () => void): () => void {
      for (const key of keys) byKey.set(key, (byKey.get(key) ?? new Set()).add(listener));
      return () => {
        for (const key of keys) {
          const listeners = byKey.get(key);
          listeners?.delete(listener);
          if (listeners?.size === 0) byKey.delete(key);
        }
      };
    },
    of: (keys: ReadonlySet<string>): Set<() => void> =>
      new Set([...keys].flatMap((key) => [...(byKey.get(key) ?? [])])),
  };
}

function deleteOldest(entries: Set<string> | Map<string, unknown>): string | undefined {
  const oldest = entries.keys().next().value;
  if (oldest !== undefined) entries.delete(oldest);
  return oldest;
}

/** Times of the oldest and the newest job of each state. */
function spansOf(jobs: readonly Job[]): Map<Job['state'], { first: string; last: string }> {
  const spans = new Map<Job['state'], { first: string; last: string }>();
  for (const { state, createdAt } of jobs) {
    const { first, last } = spans.get(state) ?? { first: createdAt, last: createdAt };
    spans.set(state, {
      first: createdAt < first ? createdAt : first,
      last: createdAt > last ? createdAt : last,
    });
  }
  return spans;
}

/**
 * Jobs as received by the socket. Deltas may arrive twice and out of order: a job whose `version` is not newer is
 * dropped (contract, Jobs and events). The work of a delta does not depend on the number of jobs; listeners are notified
 * of several deltas at once.
 */
export function createJobStore() {
  const jobs = new Map<string, Job>();
  const live = new Set<string>();
  /** In the order in which the jobs ended. */
  const ended = new Set<string>();
  /** Versions by id. */
  const forgotten = new Map<string, number>();
  const byFile = new Map<string, Set<string>>();

  const listeners = new Set<() => void>();
  const keyed = createListeners();
  const changed = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let copy: JobMap | undefined;

  function notify(): void {
    timer = undefined;
    const notified = new Set([...keyed.of(changed), ...listeners]);
    changed.clear();
    for (const listener of notified) listener();
  }

  function markChanged({ _id, fileId }: Job): void {
    copy = undefined;
    changed.add(_id);
    if (fileId !== null) changed.add(fileId);
    timer ??= setTimeout(notify, gather);
  }

  function remove(id: string): void {
    const job = jobs.get(id);
    if (job === undefined) return;
    markChanged(job);
    jobs.delete(id);
    live.delete(id);
    ended.delete(id);
    if (job.fileId === null) return;
    const ofFile = byFile.get(job.fileId);
    ofFile?.delete(id);
    if (ofFile?.size === 0) byFile.delete(job.fileId);
  }

  function put(job: Job): void {
    const { _id: id, fileId } = job;
    // It may have been active before, or of a file that is now deleted.
    remove(id);
    markChanged(job);
    jobs.set(id, job);
    forgotten.delete(id);
    (isLive(job) ? live : ended).add(id);
    if (fileId !== null) byFile.set(fileId, (byFile.get(fileId) ?? new Set()).add(id));
    if (ended.size > mostEnded) forget(deleteOldest(ended));
  }

  function forget(id: string | undefined): void {
    const job = id === undefined ? undefined : jobs.get(id);
    if (job === undefined) return;
    remove(job._id);
    forgotten.set(job._id, job.version);
    if (forgotten.size > mostForgotten) deleteOldest(forgotten);
  }

  /** @returns the previous state of the job; null when the delta was older and dropped */
  function apply(job: Job): { before: Job | undefined } | null {
    const before = jobs.get(job._id);
    const known = before?.version ?? forgotten.get(job._id);
    if (known !== undefined && known >= job.version) return null;
    put(job);
    return { before };
  }

  return {
    apply,

    /**
     * Applies a job that was read from the server. Its end also replaces a newer version of the same run: a crash of
     * PostgreSQL can lose the start and the progress of a run, which are committed asynchronously, after they were published.
     */
    applyRead(job: Job): { before: Job | undefined } | null {
      const before = jobs.get(job._id);
      const isEndOfRun = before?.state === 'running' && !isLive(job) && job.attempt >= before.attempt;
      if (!isEndOfRun) return apply(job);
      put(job);
      return { before };
    },

    /**
     * Applies a list of active jobs; other jobs are kept.
     * @returns ids of jobs that were active and are not in the list: they ended meanwhile
     */
    applyList({ jobs: listed, isComplete }: Snapshot): string[] {
      for (const job of listed) apply(job);
      const ids = new Set(listed.map(({ _id }) => _id));
      const spans = spansOf(listed);
      return [...live].filter((id) => {
        const job = jobs.get(id);
        if (job === undefined || ids.has(id)) return false;
        const span = spans.get(job.state);
        // An incomplete list is cut at the newest or oldest end of a state.
        return (
          isComplete || (span !== undefined && span.first <= job.createdAt && job.createdAt <= span.last)
        );
      });
    },

    /** Removes a job, such as one that was deleted with its file. */
    remove,

    /** Removes all jobs, and notifies listeners at once: the jobs may belong to a user who has logged out. */
    clear(): void {
      for (const id of jobs.keys()) remove(id);
      forgotten.clear();
      clearTimeout(timer);
      notify();
    },

    /** All jobs, as a copy that does not change: takes time in proportion to their number. */
    get: (): JobMap => (copy ??= new Map(jobs)),
    find: (id: string): Job | undefined => jobs.get(id),
    liveCount: (): number => live.size,
    ofFile: (fileId: string): Job[] => [...(byFile.get(fileId) ?? [])].flatMap((id) => jobs.get(id) ?? []),
    /** Whether the job ended and was dropped in favor of others that ended later. */
    isForgotten: (id: string): boolean => forgotten.has(id),

    /** Calls the listener after changes of any job. @returns unsubscribes */
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Calls the listener after changes of jobs with one of these ids or files. @returns unsubscribes */
    subscribeTo: keyed.add,
  };
}

/** The app's jobs. */
export const jobStore = createJobStore();

/** Jobs received since the page was loaded, by id; renders again with each change. */
export const useJobs = (): JobMap => useSyncExternalStore(jobStore.subscribe, jobStore.get);

/** A job as received since the page was loaded; renders again with its changes. */
export function useJob(id: string | null): Job | undefined {
  const subscribe = useCallback((listener: () => void) => jobStore.subscribeTo([id ?? ''], listener), [id]);
  return useSyncExternalStore(subscribe, () => (id === null ? undefined : jobStore.find(id)));
}

/** Rows with the store's versions where those are newer: the same array until one of them changes. */
function newestOf(rows: readonly Job[]) {
  const ids = rows.map(({ _id }) => _id);
  let shown = rows;
  const newest = (row: Job): Job => {
    const job = jobStore.find(row._id);
    return job !== undefined && job.version > row.version ? job : row;
  };
  return {
    subscribe: (listener: () => void) => jobStore.subscribeTo(ids, listener),
    get(): readonly Job[] {
      const next = rows.map(newest);
      if (next.some((job, index) => job !== shown[index])) shown = next;
      return shown;
    },
  };
}

/** Rows of a list, each replaced by the job store's version when that is newer; renders again when one of them changes. */
export function useNewestJobs(rows: readonly Job[]): readonly Job[] {
  const newest = useMemo(() => newestOf(rows), [rows]);
  return useSyncExternalStore(newest.subscribe, newest.get);
}
