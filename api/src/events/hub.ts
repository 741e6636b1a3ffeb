import { organizationTopics, type OverviewMetrics } from '@riskboard/contract';
import type { Deps } from '../deps.ts';
import { type LiveEvent, type LiveMessage, liveEvent, WaitingEvents } from './live-event.ts';
import { mayChangeMetrics, type MetricsUpdates, metricsUpdates } from './metrics-updates.ts';
import { type MissedChanges, missedChanges } from './missed-changes.ts';
import type { RecordedChange } from './recorded-changes.ts';

/** One open socket. */
export interface Listener {
  organizationId: string;
  deliver(event: LiveEvent): void;
}

/**
 * Sends an organization's events to its sockets in this process: one relay subscription for each organization with an
 * open socket. After changes it sends the numbers of the overview too. Events that did not arrive are made again from the
 * changes in the database.
 */
export interface Hub {
  /** Resolves when the listener receives every later event. @returns the function that removes it */
  join(listener: Listener): Promise<() => void>;
  close(): Promise<void>;
}

/** The first event after a pause is sent at once; those that follow it within this time are merged and sent together. */
const gatherMs = 20;

/** Sends events to the listeners, at most as often as they and the processor can follow. */
function gather(listeners: ReadonlySet<Listener>) {
  const waiting = new WaitingEvents();
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** By `performance.now()`. */
  let notBefore = 0;

  function send(): void {
    timer = undefined;
    const began = performance.now();
    for (let event = waiting.take(); event !== undefined; event = waiting.take())
      for (const listener of listeners) listener.deliver(event);
    const ended = performance.now();
    // At least half of the time is left for everything else.
    notBefore = ended + Math.max(gatherMs, ended - began);
  }

  return {
    add(message: LiveMessage): void {
      waiting.add(liveEvent(message));
      if (timer !== undefined) return;
      const delay = notBefore - performance.now();
      if (delay <= 0) send();
      else timer = setTimeout(send, delay);
    },
    stop: () => clearTimeout(timer),
  };
}

interface Branch {
  listeners: Set<Listener>;
  events: ReturnType<typeof gather>;
  updates: MetricsUpdates;
  missed: MissedChanges;
  subscription: Promise<() => Promise<void>>;
}

function stop({ updates, missed, events }: Branch): void {
  updates.stop();
  missed.stop();
  events.stop();
}

interface HubDeps {
  relay: Deps['relay'];
  /** Numbers of the overview of an organization. */
  readMetrics: (organizationId: string) => Promise<OverviewMetrics>;
  /** Changes of an organization by people in the last seconds. */
  readChanges: (recent: { organizationId: string; seconds: number }) => Promise<RecordedChange[]>;
  /** Milliseconds between two comparisons of events and changes; absent: the default. */
  checkEveryMs?: number;
  onError: (error: unknown) => void;
}

export function createHub({ relay, readMetrics, readChanges, checkEveryMs, onError }: HubDeps): Hub {
  const branches = new Map<string, Branch>();

  function branchOf(organizationId: string): Branch {
    const known = branches.get(organizationId);
    if (known) return known;
    const listeners = new Set<Listener>();
    const events = gather(listeners);
    const updates = metricsUpdates(() => readMetrics(organizationId), events.add, onError);
    const send = (message: LiveMessage): void => {
      events.add(message);
      if (mayChangeMetrics(message)) updates.changed();
    };
    const missed = missedChanges({
      read: (seconds) => readChanges({ organizationId, seconds }),
      deliver: send,
      onError,
      checkEveryMs,
    });
    const subscribe = async () => {
      const unsubscribe = await relay.subscribe(organizationTopics(organizationId), (message) => {
        missed.received(message as LiveMessage);
        send(message as LiveMessage);
      });
      await missed.start();
      return unsubscribe;
    };
    const branch = { listeners, events, updates, missed, subscription: subscribe() };
    branches.set(organizationId, branch);
    return branch;
  }

  function leave(listener: Listener): void {
    const branch = branches.get(listener.organizationId);
    branch?.listeners.delete(listener);
    if (!branch || branch.listeners.size > 0) return;
    branches.delete(listener.organizationId);
    stop(branch);
    branch.subscription.then((unsubscribe) => unsubscribe()).catch(onError);
  }

  return {
    async join(listener) {
      const branch = branchOf(listener.organizationId);
      branch.listeners.add(listener);
      try {
        await branch.subscription;
      } catch (error) {
        branch.listeners.delete(listener);
        if (branches.get(listener.organizationId) === branch) branches.delete(listener.organizationId);
        throw error;
      }
      return () => leave(listener);
    },
    async close() {
      const open = [...branches.values()];
      branches.clear();
      for (const branch of open) stop(branch);
      await Promise.allSettled(open.map(async (branch) => (await branch.subscription)()));
    },
  };
}
