import { type OrganizationsChanged, organizationsChangedTopic } from '@riskboard/contract';
import type { Deps } from '../../deps.ts';

type ChangeRelay = Pick<Deps['relay'], 'subscribe'>;

export interface ChangedOrganizations {
  /** The organizations that have changed since the last call. */
  take(): string[];
  stop(): void;
}

/** What collects the changes of this process. */
const collectors = new WeakMap<ChangeRelay, Set<Set<string>>>();

/** Notes that a job of this worker has changed an organization. */
export function noteChange(relay: ChangeRelay, organizationId: string): void {
  for (const changed of collectors.get(relay) ?? []) changed.add(organizationId);
}

/**
 * Collects the organizations that jobs of this worker change, or that an api has changed. A worker does not receive the events
 * of the others: each would cost every worker several statements. Changes may be lost: they are hints.
 */
export function collectChanges(relay: ChangeRelay, onError: (error: unknown) => void): ChangedOrganizations {
  const changed = new Set<string>();
  const ofRelay = collectors.get(relay) ?? new Set();
  collectors.set(relay, ofRelay.add(changed));
  const listening = relay
    .subscribe(organizationsChangedTopic, (message) => {
      for (const id of (message as OrganizationsChanged).organizationIds) changed.add(id);
    })
    .catch(onError);
  return {
    take() {
      const taken = [...changed];
      changed.clear();
      return taken;
    },
    stop() {
      ofRelay.delete(changed);
      void listening.then((unsubscribe) => unsubscribe?.()).catch(() => undefined);
    },
  };
}
