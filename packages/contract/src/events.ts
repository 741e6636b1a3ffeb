import { z } from 'zod';
import { Id } from './common.ts';
import { Job } from './jobs.ts';

/** Ids travel with an event up to this many (contract, Jobs and events). */
export const idsShown = 100;

/** What changed, never what it is now: HTTP carries the data (design, rule 4). `ids` absent: more than 100. */
const Changed = z.object({
  ids: z.array(Id).max(idsShown).optional(),
  count: z.int(),
  action: z.enum(['created', 'updated', 'deleted', 'changed']),
  by: Id.nullable(),
});

const changed = <const T extends string>(type: T) => Changed.extend({ type: z.literal(type) });

/** Deltas that go to every socket of an organisation. Only job progress travels in the event itself. */
export const OrganizationEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('job.updated'), job: Job }),
  changed('file.changed'),
  changed('vulnerability.changed'),
  changed('threat.changed'),
  changed('asset.changed'),
  changed('project.changed'),
  changed('organization.changed'),
]);
export type OrganizationEvent = z.infer<typeof OrganizationEvent>;

/** An event that says which rows of a noun changed. */
export type ChangedEvent = Extract<OrganizationEvent, { action: string }>;

/** @param rows their ids, or only how many where nobody has them */
export const changedEvent = (
  type: ChangedEvent['type'],
  { action, by }: Pick<ChangedEvent, 'action' | 'by'>,
  rows: readonly string[] | number,
): ChangedEvent => {
  if (typeof rows === 'number') return { type, action, by, count: rows };
  const ids = rows.length <= idsShown ? { ids: [...rows] } : {};
  return { type, action, by, count: rows.length, ...ids };
};

/** Everything the server says on `GET /api/events`: hello, then a snapshot, then deltas. */
export const ServerMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello') }),
  z.object({ type: z.literal('snapshot'), jobs: z.array(Job) }),
  ...OrganizationEvent.options,
]);
export type ServerMessage = z.infer<typeof ServerMessage>;

/** WebSocket close codes that mean something to a client. */
export const closeCodes = { startOver: 1012, tooSlow: 1013, sessionEnded: 4401 } as const;

/** Relay topic of an event; every organisation has its own branch, `organizationTopics` is all of it. */
export const eventTopic = (organizationId: string, type: OrganizationEvent['type']): string =>
  `org.${organizationId}.${type}`;
export const organizationTopics = (organizationId: string): string => `org.${organizationId}.>`;
/** Relay topics between processes that no browser hears. */
export const jobCancelledTopic = (jobId: string): string => `job.${jobId}.cancelled`;
export const sessionEndedTopic = (sessionId: string): string => `session.${sessionId}.ended`;
/** Says to whoever sends mails that one waits in the database. */
export const mailWaitingTopic = 'mail.waiting';
