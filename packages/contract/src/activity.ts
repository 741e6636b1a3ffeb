import { endpoints } from './endpoint.ts';
import { defineList } from './list.ts';
import type { activitySchemas } from './schemas/activity.ts';

/** Who acted: a person who signed in, an API token, or Riskboard itself. */
export const activityVias = ['session', 'token', 'system'] as const;

/** Nouns of the log. Only owners read the entries of `ownerNouns`. */
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
  'catalogue',
  'alerts',
  'webhooks',
] as const;

export const ownerNouns = [
  'accounts',
  'organization',
  'webhooks',
] as const satisfies readonly (typeof activityNouns)[number][];

/** The log, newest first. Only time is sortable: the log grows for years, and its one index is by time. */
export const activityList = defineList(
  {
    at: { label: 'When', kind: 'time' },
    actor: { label: 'Who', kind: 'text', sortable: false },
    /** The account, independent of the names that it had. */
    actorId: { label: 'Person', kind: 'choice', ids: true, sortable: false },
    via: { label: 'Via', kind: 'choice', values: activityVias, sortable: false },
    /** Empty unless the caller is an owner. */
    address: { label: 'IP address', kind: 'choice', sortable: false },
    action: { label: 'Action', kind: 'choice', sortable: false },
    noun: { label: 'Area', kind: 'choice', values: activityNouns, sortable: false },
    nounId: { label: 'Object', kind: 'choice', ids: true, sortable: false },
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
  },
  facets: {
    method: 'GET',
    path: '/api/activity/facets',
    access: 'viewer',
  },
  export: {
    method: 'GET',
    path: '/api/activity/export',
    access: 'viewer',
  },
});
