import { organizationTopics } from '@riskboard/contract';
import type { Deps } from '../deps.ts';

/** One open socket. */
export interface Listener {
  organizationId: string;
  deliver(message: string): void;
}

/**
 * Sends an organization's events to its sockets in this process: one relay subscription for each organization with an
 * open socket.
 */
export interface Hub {
  /** Resolves when the listener receives every later event. @returns the function that removes it */
  join(listener: Listener): Promise<() => void>;
  close(): Promise<void>;
}

interface Branch {
  listeners: Set<Listener>;
  subscription: Promise<() => Promise<void>>;
}

export function createHub(relay: Deps['relay'], onError: (error: unknown) => void): Hub {
  const branches = new Map<string, Branch>();

  function branchOf(organizationId: string): Branch {
    const known = branches.get(organizationId);
    if (known) return known;
    const listeners = new Set<Listener>();
    const subscription = relay.subscribe(organizationTopics(organizationId), (message) => {
      const text = JSON.stringify(message);
      for (const listener of listeners) listener.deliver(text);
    });
    const branch = { listeners, subscription };
    branches.set(organizationId, branch);
    return branch;
  }

  function leave(listener: Listener): void {
    const branch = branches.get(listener.organizationId);
    branch?.listeners.delete(listener);
    if (!branch || branch.listeners.size > 0) return;
    branches.delete(listener.organizationId);
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
      await Promise.allSettled(open.map(async (branch) => (await branch.subscription)()));
    },
  };
}
