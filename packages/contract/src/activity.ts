import { z } from 'zod';
import { Id, Time } from './common.ts';
import { endpoints } from './endpoint.ts';
import { defineList, Facets, listFields } from './list.ts';

/** How a deed came in: by a person who signed in, by an API token, or by Riskboard itself. */
export const activityVias = ['session', 'token', 'system'] as const;

/** Nouns of the log. What concerns accounts and the organisation itself is for owners. */
export const activityNouns = [
  'accounts',
  'organization',
  'reports',
  'jobs',
  'vulnerabilities',
  'threats',
  'assets',
  'projects',
  'vignettes',
] as const;
export const ownerNouns = [
  'accounts',
  'organization',
] as const satisfies readonly (typeof activityNouns)[number][];

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

/** The log, newest first. Nothing but time is sorted by: it grows for years, and only time leads into it. */
export const activityList = defineList(
  {
    at: { label: 'When', kind: 'time' },
    actor: { label: 'Who', kind: 'text', sortable: false },
    /** By account, whatever it was called over the years. */
    actorId: { label: 'Person', kind: 'choice', ids: true, sortable: false },
    via: { label: 'How', kind: 'choice', values: activityVias, sortable: false },
    /** Empty unless an owner asks. */
    address: { label: 'From where', kind: 'choice', sortable: false },
    action: { label: 'Action', kind: 'choice', sortable: false },
    noun: { label: 'Area', kind: 'choice', values: activityNouns, sortable: false },
    nounId: { label: 'Thing', kind: 'choice', ids: true, sortable: false },
    name: { label: 'Name', kind: 'text', sortable: false },
    detail: { label: 'Detail', kind: 'text', sortable: false },
  },
  { standard: '-at', extra: {} },
);

export const activity = endpoints({
  list: {
    method: 'GET',
    path: '/api/activity',
    access: 'viewer',
    summary: 'Who did what, newest first; what concerns accounts and the organization is for owners',
    query: activityList.query,
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
    method: 'GET',
    path: '/api/activity/facets',
    access: 'viewer',
    summary: 'Distinct values and counts of each filterable column under the other filters',
    query: activityList.facetsQuery,
    reply: { 200: Facets },
  },
  export: {
    method: 'GET',
    path: '/api/activity/export',
    access: 'viewer',
    summary: 'The filtered log as CSV or JSON, streamed; the log says who took it',
    query: activityList.exportQuery,
    reply: { 200: null },
  },
});
