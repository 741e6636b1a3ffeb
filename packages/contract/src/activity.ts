import { z } from 'zod';
import { Id, listQuery, pageFields, Time } from './common.ts';
import { endpoints } from './endpoint.ts';

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

const filters = {
  noun: z.union([z.enum(activityNouns), z.array(z.enum(activityNouns))]).optional(),
  action: z.union([z.string().max(60), z.array(z.string().max(60))]).optional(),
  actorId: z.union([Id, z.array(Id)]).optional(),
  nounId: Id.optional(),
  atMin: z.iso.datetime({ offset: true }).optional(),
  atMax: z.iso.datetime({ offset: true }).optional(),
};

export const activity = endpoints({
  list: {
    method: 'GET',
    path: '/api/activity',
    access: 'viewer',
    summary: 'Who did what, newest first; what concerns accounts and the organization is for owners',
    query: listQuery(['at'], '-at').extend(filters),
    reply: {
      200: z.object({
        activity: z.array(ActivityEntry),
        /** How far back a search looked, when the log is too long to look through all of it; else null. */
        searchedSince: Time.nullable(),
        ...pageFields,
      }),
    },
  },
  facets: {
    method: 'GET',
    path: '/api/activity/facets',
    access: 'viewer',
    summary: 'The people, nouns and actions in the log, with their counts',
    reply: {
      200: z.object({
        noun: z.array(z.object({ value: z.string(), count: z.int() })),
        action: z.array(z.object({ value: z.string(), noun: z.string(), count: z.int() })),
        actorId: z.array(z.object({ value: z.string(), label: z.string(), count: z.int() })),
      }),
    },
  },
  export: {
    method: 'GET',
    path: '/api/activity/export',
    access: 'viewer',
    summary: 'The filtered log as CSV, streamed',
    query: z.object({ search: z.string().max(200).optional(), ...filters }),
    reply: { 200: null },
  },
});
