import { activityList, activityVias } from '../activity.ts';
import type { SchemaTable } from '../endpoint.ts';
import { Id, Time } from './common.ts';
import { Exported, Facets, listFields, listSchemas } from './list.ts';
import { z } from 'zod';

export const ActivityEntry = z
  .object({
    _id: Id,
    at: Time,
    actor: z
      .string()
      .describe('Name of the user at that time; empty for Riskboard itself or an unknown person.'),
    actorId: Id.nullable(),
    action: z.string().describe('Noun and verb, as in `report.uploaded`.'),
    noun: z.string(),
    nounId: Id.nullable(),
    name: z.string().describe('Name of the object at that time.'),
    address: z.string().describe('IP address; empty unless the caller is an owner.'),
    via: z.enum(activityVias),
    detail: z
      .record(z.string(), z.unknown())
      .describe('Counts, and `changes: {field: {from, to}}` of an edit.'),
  })
  .meta({ id: 'ActivityEntry' });
export type ActivityEntry = z.infer<typeof ActivityEntry>;

export const activityListSchemas = listSchemas(activityList, {
  projectId: Id.describe('Entries about that project and its assets.'),
});

export const activitySchemas = {
  list: {
    summary: 'Activity log, newest first; only owners see entries about accounts and the organization',
    query: activityListSchemas.query,
    reply: {
      200: z.object({
        activity: z.array(ActivityEntry),
        searchedSince: Time.nullable().describe(
          'Start of the searched period when the log is too long to search all of it; else null.',
        ),
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
    reply: { 200: Exported },
  },
} satisfies SchemaTable;
