import { type Job, jobs } from '@riskboard/contract';
import { call } from '../api/call.ts';
import { isLive, jobStore } from '../jobs/job-store.ts';

/** Milliseconds. */
const checkEvery = 30_000;
/** A running job reports every 2 s, a queued one not until it starts. */
const silentAfter = { running: 15_000, queued: 60_000 } as const;
/** Jobs that one check reads: 1,000 pages that show 5,000 queued jobs send 33 calls a second, of 50 rows each. */
const mostChecked = 50;

interface SilentJobsOptions {
  isConnected: () => boolean;
  /** A job that the server no longer lists. */
  onMissing: (id: string) => void;
  /** Jobs were behind: events were lost, which may have been about other data too. */
  onChanged: () => void;
}

/**
 * Reads jobs again that are shown as active and of which no news arrived for some time: an event may be lost while the
 * connection stays open, as when a worker is killed between its commit and the event. A failed check is repeated by the
 * next one.
 */
export function createSilentJobs({ isConnected, onMissing, onChanged }: SilentJobsOptions) {
  /** When active jobs were last heard of, by performance.now(). */
  let heardAt = new Map<string, number>();

  /** The jobs without news for the longest time. */
  function silentJobs(): string[] {
    const now = performance.now();
    const live = [...jobStore.get().values()].filter(isLive);
    heardAt = new Map(live.map(({ _id }) => [_id, heardAt.get(_id) ?? now]));
    const silence = ({ _id }: Job): number => now - (heardAt.get(_id) ?? now);
    return live
      .filter((job) => silence(job) >= silentAfter[job.state === 'running' ? 'running' : 'queued'])
      .toSorted((a, b) => silence(b) - silence(a))
      .slice(0, mostChecked)
      .map(({ _id }) => _id);
  }

  async function check(): Promise<void> {
    if (!isConnected() || document.visibilityState !== 'visible') return;
    const ids = silentJobs();
    if (ids.length === 0) return;
    const reply = await call(jobs.list, { query: { ids, pageSize: mostChecked } });
    const listed = new Set(reply.jobs.map(({ _id }) => _id));
    const missing = ids.filter((id) => !listed.has(id));
    const changed = reply.jobs.filter((job) => jobStore.applyRead(job) !== null);
    for (const id of listed) heardAt.set(id, performance.now());
    for (const id of missing) onMissing(id);
    if (missing.length > 0 || changed.some((job) => !isLive(job))) onChanged();
  }

  const timer = setInterval(() => void check().catch(() => undefined), checkEvery);

  return {
    heard(id: string): void {
      heardAt.set(id, performance.now());
    },
    stop(): void {
      clearInterval(timer);
    },
  };
}
