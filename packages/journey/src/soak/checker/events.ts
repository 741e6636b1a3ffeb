import type { History, Operation, ReceivedEvent } from '../history.ts';
import type { Finding } from './violation.ts';

/** A read that an event causes is at least as new as the event. */
export function readsAreAsNewAsEvents({ operations, events }: History): Finding[] {
  const reads = operations.filter(
    ({ action, outcome }) =>
      (action === 'read job' || action === 'read record') && outcome === 'acknowledged',
  );
  const byId = Map.groupBy(reads, ({ action, recordId, subject }) =>
    action === 'read job' ? subject : (recordId ?? ''),
  );
  return events.flatMap((event) =>
    (byId.get(event.id) ?? [])
      .filter((read) => read.invokedAt > event.at && isOlder(read, event))
      .map((read) => ({ message: `A read is older than the event before it.`, shown: [event, read] })),
  );
}

function isOlder({ version }: Operation, event: ReceivedEvent): boolean {
  // A job is deleted with its file.
  if (event.noun === 'job') return typeof version === 'number' && version < (event.version ?? 0);
  return event.action === 'deleted' && version !== null;
}

/** No answer is an internal error; an unavailable database answers 503. */
export function noInternalErrors({ operations }: History): Finding[] {
  return operations
    .filter(({ status }) => status !== null && status >= 500 && status !== 503)
    .map((operation) => ({
      message: `${operation.action} was answered with ${operation.status}.`,
      shown: [operation],
    }));
}
