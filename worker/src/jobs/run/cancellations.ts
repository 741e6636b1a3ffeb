import { jobCancelledTopic } from '@riskboard/contract';
import type { Deps } from '../../deps.ts';

type CancellationRelay = Pick<Deps['relay'], 'subscribe'>;

/** The runs of this process by job, and the subscription to the cancellations of all jobs. */
interface Cancellations {
  readonly aborts: Map<string, () => void>;
  subscribed: boolean;
}

const ofRelays = new WeakMap<CancellationRelay, Cancellations>();

/** One subscription for a process: one for each run costs a small job as much as its own statements. */
function subscribeOnce(relay: CancellationRelay, cancellations: Cancellations): void {
  if (cancellations.subscribed) return;
  cancellations.subscribed = true;
  relay
    .subscribe(jobCancelledTopic('*'), (_message, topic) => {
      for (const [jobId, abort] of cancellations.aborts) if (topic === jobCancelledTopic(jobId)) abort();
    })
    // The next run subscribes; a cancellation shows at the next progress write anyway.
    .catch(() => {
      cancellations.subscribed = false;
    });
}

/**
 * Calls `abort` when the job is cancelled. Returns at once: an unreachable relay delays no work.
 * @returns ends it
 */
export function onCancelled(relay: CancellationRelay, jobId: string, abort: () => void): () => void {
  const cancellations = ofRelays.get(relay) ?? { aborts: new Map(), subscribed: false };
  ofRelays.set(relay, cancellations);
  cancellations.aborts.set(jobId, abort);
  subscribeOnce(relay, cancellations);
  return () => {
    if (cancellations.aborts.get(jobId) === abort) cancellations.aborts.delete(jobId);
  };
}
