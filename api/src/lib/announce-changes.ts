import { type OrganizationsChanged, organizationsChangedTopic } from '@riskboard/contract';
import type { Deps } from '../deps.ts';

/** Milliseconds from one message to the next, in which changed organizations are collected. */
const collectMs = 1000;
/** Organizations that one message names, so that it stays far below the limit of the relay. */
const mostAtOnce = 1000;

type ChangeRelay = Pick<Deps['relay'], 'publish'>;

/** The changed organizations of this process that no message has named, and the time of the next one. */
interface Announcements {
  changed: Set<string>;
  timer: NodeJS.Timeout | undefined;
}

const ofRelays = new WeakMap<ChangeRelay, Announcements>();

function send(relay: ChangeRelay, announcements: Announcements): void {
  announcements.timer = undefined;
  const organizationIds = [...announcements.changed].slice(0, mostAtOnce);
  if (organizationIds.length === 0) return;
  for (const id of organizationIds) announcements.changed.delete(id);
  announcements.timer = setTimeout(() => send(relay, announcements), collectMs).unref();
  // A lost message delays alerts and scores until the next round over all organizations.
  relay
    .publish(organizationsChangedTopic, { organizationIds } satisfies OrganizationsChanged)
    .catch(() => undefined);
}

/**
 * Announces to the workers that an organization has changed: at once, and then at most one message a second for all organizations
 * of this process. Each message costs each worker several statements, so an import must not send one for each record.
 */
export function announceChange(relay: ChangeRelay, organizationId: string): void {
  const announcements = ofRelays.get(relay) ?? { changed: new Set(), timer: undefined };
  ofRelays.set(relay, announcements);
  announcements.changed.add(organizationId);
  if (announcements.timer === undefined) send(relay, announcements);
}
