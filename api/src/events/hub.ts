import { organizationTopics, type OverviewMetrics } from '@riskboard/contract';
import type { Deps } from '../deps.ts';
import { mayChangeMetrics, type MetricsUpdates, metricsUpdates } from './metrics-updates.ts';

/** One open socket. */
export interface Listener {
  organizationId: string;
  deliver(message: string): void;
}

/**
 * Sends an organization's events to its sockets in this process: one relay subscription for each organization with an
 * open socket. After changes it sends the numbers of the overview too.
 */
export interface Hub {
  /** Resolves when the listener receives every later event. @returns the function that removes it */
  join(listener: Listener): Promise<() => void>;
  close(): Promise<void>;
}

interface Branch {
  listeners: Set<Listener>;
  updates: MetricsUpdates;
  subscription: Promise<() => Promise<void>>;
}

interface HubDeps {
  relay: Deps['relay'];
  /** Numbers of the overview of an organization. */
  readMetrics: (organizationId: string) => Promise<OverviewMetrics>;
  onError: (error: unknown) => void;
}

export function createHub({ relay, readMetrics, onError }: HubDeps): Hub {
  const branches = new Map<string, Branch>();

  function branchOf(organizationId: string): Branch {
    const known = branches.get(organizationId);
    if (known) return known;
    const listeners = new Set<Listener>();
    function deliver(message: unknown): void {
      const text = JSON.stringify(message);
      for (const listener of listeners) listener.deliver(text);
    }
    const updates = metricsUpdates(() => readMetrics(organizationId), deliver, onError);
    const subscription = relay.subscribe(organizationTopics(organizationId), (message) => {
      deliver(message);
      if (mayChangeMetrics(message)) updates.changed();
    });
    const branch = { listeners, updates, subscription };
    branches.set(organizationId, branch);
    return branch;
  }

  function leave(listener: Listener): void {
    const branch = branches.get(listener.organizationId);
    branch?.listeners.delete(listener);
    if (!branch || branch.listeners.size > 0) return;
    branches.delete(listener.organizationId);
    branch.updates.stop();
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
      for (const { updates } of open) updates.stop();
      await Promise.allSettled(open.map(async (branch) => (await branch.subscription)()));
    },
  };
}
