import { endpoints } from './endpoint.ts';
import { defineList } from './list.ts';
import type { activitySchemas } from './schemas/activity.ts';

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
  '-at',
);

export const activity = endpoints<typeof activitySchemas>()({
  list: {
    method: 'GET',
    path: '/api/activity',
    access: 'viewer',
    summary: 'Who did what, newest first; what concerns accounts and the organization is for owners',
  },
  facets: {
    method: 'GET',
    path: '/api/activity/facets',
    access: 'viewer',
    summary: 'Distinct values and counts of each filterable column under the other filters',
  },
  export: {
    method: 'GET',
    path: '/api/activity/export',
    access: 'viewer',
    summary: 'The filtered log as CSV or JSON, streamed; the log says who took it',
  },
});
