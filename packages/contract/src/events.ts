import type { ChangedEvent, OrganizationEvent } from './schemas/events.ts';

/** An event carries at most this many ids (contract, Jobs and events). */
export const idsShown = 100;

/** @param rows ids of the changed rows, or only their number where the ids are not known */
export const changedEvent = (
  type: ChangedEvent['type'],
  { action, by }: Pick<ChangedEvent, 'action' | 'by'>,
  rows: readonly string[] | number,
): ChangedEvent => {
  if (typeof rows === 'number') return { type, action, by, count: rows };
  const ids = rows.length <= idsShown ? { ids: [...rows] } : {};
  return { type, action, by, count: rows.length, ...ids };
};

/**
 * Unfinished jobs in the snapshot of a socket, and jobs that polling reads: running ones first, then the newest queued
 * ones. A client that gets this many keeps the others that it knows.
 */
export const mostInSnapshot = 1000;

/** Text that a client sends to learn whether the server is there; the answer is a `pong` message. */
export const pingText = 'ping';

/** WebSocket close codes that a client handles. */
export const closeCodes = { startOver: 1012, tooSlow: 1013, sessionEnded: 4401 } as const;

/** Relay topic of all events of an organization: one, so that those of one commit are sent together. */
export const eventTopic = (organizationId: string): string => `org.${organizationId}.events`;
/** The same with the topics of earlier versions, which had one for each type. */
export const organizationTopics = (organizationId: string): string => `org.${organizationId}.>`;

/** Relay topics between processes, never sent to a browser. */
export const organizationsChangedTopic = 'organizations.changed';
/** Message of `organizationsChangedTopic`: organizations with an event for which `startsRounds` holds. */
export interface OrganizationsChanged {
  organizationIds: string[];
}
export const jobCancelledTopic = (jobId: string): string => `job.${jobId}.cancelled`;
export const sessionEndedTopic = (sessionId: string): string => `session.${sessionId}.ended`;
/** Relay topics of the end of every session and token. */
export const sessionsEndedTopics = 'session.*.ended';
/** Published when an email is waiting in the database. */
export const mailWaitingTopic = 'mail.waiting';

/** Whether alert rules and scores may be due after an event: records have changed, or a job has ended. */
export const startsRounds = (event: OrganizationEvent): boolean =>
  event.type === 'job.updated'
    ? event.job.state === 'succeeded' || event.job.state === 'failed'
    : event.type !== 'alert.changed';
