import { type ChangedEvent, changedEvent } from '@riskboard/contract';
import type { LiveMessage } from './live-event.ts';
import type { RecordedChange } from './recorded-changes.ts';

const defaultCheckEveryMs = 30_000;
/** An entry has the time at which its transaction began: changes that take longer are not checked. */
const longestChangeSeconds = 60;

/** An event that arrived, less the rows whose change it has announced. */
interface ReceivedEvent {
  type: ChangedEvent['type'];
  by: string | null;
  /** Undefined: more than the event names. */
  ids: Set<string> | undefined;
  /** Whether it may announce a change of several rows. */
  isUnused: boolean;
  /** Checks since it arrived. */
  checks: number;
}

/** An event arrives before or after the check that reads its change; later, it announces nothing. */
const mostChecks = 2;

function announces(event: ReceivedEvent, { type, by, rowId }: RecordedChange): boolean {
  if (event.type !== type || event.by !== by) return false;
  if (rowId === null) return event.isUnused;
  return event.ids === undefined || event.ids.has(rowId);
}

export interface MissedChanges {
  /** An event arrived from the relay. */
  received(message: LiveMessage): void;
  /** Resolves when later changes are checked. Never rejects. */
  start(): Promise<void>;
  stop(): void;
}

interface MissedChangesOptions {
  /** Changes whose transaction began in the last seconds. */
  read: (seconds: number) => Promise<RecordedChange[]>;
  /** Sends the event that did not arrive. */
  deliver: (event: ChangedEvent) => void;
  onError: (error: unknown) => void;
  checkEveryMs?: number | undefined;
}

/**
 * Compares the changes in the database with the events that arrived, and delivers events that were lost on the way: the
 * publisher may have ended after its commit, or the backend of the relay may have lost a message. A change is missed if
 * two checks find no event for it, so that events on the way are not repeated.
 */
export function missedChanges({
  read,
  deliver,
  onError,
  checkEveryMs = defaultCheckEveryMs,
}: MissedChangesOptions): MissedChanges {
  let events: ReceivedEvent[] = [];
  /** When the last check began, by performance.now(). */
  let readAt: number | undefined;
  /** Ids of the changes of the last check; undefined until the first one. */
  let known: ReadonlySet<string> | undefined;
  /** Changes of the last check without an event. */
  let unannounced: RecordedChange[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;

  /** Finds the event of a change; each event announces a change of a row once. */
  function isAnnounced(change: RecordedChange): boolean {
    const event = events.find((one) => announces(one, change));
    if (event === undefined) return false;
    if (change.rowId === null) event.isUnused = false;
    else event.ids?.delete(change.rowId);
    return true;
  }

  async function compare(): Promise<void> {
    const now = performance.now();
    const changes = await read(longestChangeSeconds + (now - (readAt ?? now)) / 1000);
    if (stopped) return;
    readAt = now;
    const before = known;
    known = new Set(changes.map(({ id }) => id));
    const missed = unannounced.filter((change) => !isAnnounced(change));
    // Clients read everything after `start`.
    const added = before === undefined ? [] : changes.filter(({ id }) => !before.has(id));
    unannounced = added.toReversed().filter((change) => !isAnnounced(change));
    for (const event of events) event.checks += 1;
    events = events.filter(({ checks }) => checks < mostChecks);
    for (const { type, by, rowId } of missed)
      deliver(changedEvent(type, { action: 'changed', by }, rowId === null ? 1 : [rowId]));
  }

  async function check(): Promise<void> {
    await compare().catch((error: unknown) => {
      if (!stopped) onError(error);
    });
    if (!stopped) timer = setTimeout(() => void check(), checkEveryMs);
  }

  return {
    received(message) {
      if (!('action' in message)) return;
      const { type, by, ids } = message;
      events.push({ type, by, ids: ids && new Set(ids), isUnused: true, checks: 0 });
    },
    start: check,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
