import { activityList, activityVias } from '../activity.ts';
import type { SchemaTable } from '../endpoint.ts';
import { Id, Time } from './common.ts';
import { Facets, listFields, listSchemas } from './list.ts';
import { z } from 'zod';

export const ActivityEntry = z
  .object({
    _id: Id,
    at: Time,
    /** Who, as they were called then; empty for Riskboard itself or a stranger. */
    actor: z.string(),
    actorId: Id.nullable(),
    /** What: noun and verb, as in `reports.uploaded`. */
    action: z.string(),
    noun: z.string(),
    nounId: Id.nullable(),
    /** What the thing was called then. */
    name: z.string(),
    /** From where; empty unless an owner asks. */
    address: z.string(),
    via: z.enum(activityVias),
    /** Counts, and `changes: {field: {from, to}}` of an edit. */
    detail: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'ActivityEntry' });
export type ActivityEntry = z.infer<typeof ActivityEntry>;

export const activityListSchemas = listSchemas(activityList);

export const activitySchemas = {
  list: {
    summary: 'Activity log, newest first; only owners see entries about accounts and the organization',
    query: activityListSchemas.query,
    reply: {
      200: z.object({
        activity: z.array(ActivityEntry),
        /** How far back a search looked, when the log is too long to look through all of it; else null. */
        searchedSince: Time.nullable(),
        ...listFields,
      }),
    },
  },
  facets: {
    summary: 'Distinct values and counts of each filterable column under the other filters',
    query: activityListSchemas.facetsQuery,
    reply: { 200: Facets },
  },
  export: {
    summary: 'The filtered log as CSV or JSON, streamed; the export itself is recorded',
    query: activityListSchemas.exportQuery,
    reply: { 200: null },
  },
} satisfies SchemaTable;
