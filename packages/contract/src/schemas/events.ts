import { z } from 'zod';
import { idsShown } from '../events.ts';
import { Id } from './common.ts';
import { Job } from './jobs.ts';
import { OverviewMetrics } from './overview.ts';

/** What changed. Clients fetch the data with HTTP. `ids` is absent when there are more than 100, or they are not known. */
const Changed = z.object({
  ids: z.array(Id).max(idsShown).optional(),
  count: z.int(),
  action: z.enum(['created', 'updated', 'deleted', 'changed']),
  by: Id.nullable(),
});

const changed = <const T extends string>(type: T) => Changed.extend({ type: z.literal(type) });

/** Events sent to every socket of an organization. Only job progress travels in the event itself. */
export const OrganizationEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('job.updated'), job: Job }),
  changed('file.changed'),
  changed('vulnerability.changed'),
  changed('threat.changed'),
  changed('asset.changed'),
  changed('project.changed'),
  changed('vignette.changed'),
  changed('catalogue.changed'),
  changed('organization.changed'),
  // `changed`, without `ids`: what a member has read, a rule, a webhook or a delivery has changed.
  changed('alert.changed'),
  // metrics.recompute repaired `count` numbers of the overview; without `ids`.
  changed('overview.changed'),
  changed('batch.changed'),
]);
export type OrganizationEvent = z.infer<typeof OrganizationEvent>;

/** An event that names the rows of a noun that changed. */
export type ChangedEvent = Extract<OrganizationEvent, { action: string }>;

/** Every message of the server on `GET /api/events`: hello, then a snapshot, then events. */
export const ServerMessage = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('hello') }),
    z.object({ type: z.literal('snapshot'), jobs: z.array(Job) }),
    // The answer to `pingText`; a client that does not ask gets none.
    z.object({ type: z.literal('pong') }),
    // Read by each api process for its own sockets, so it is not among the events that processes send to each other.
    z.object({ type: z.literal('metrics.updated'), metrics: OverviewMetrics }),
    ...OrganizationEvent.options,
  ])
  .meta({ id: 'ServerMessage' });
export type ServerMessage = z.infer<typeof ServerMessage>;
