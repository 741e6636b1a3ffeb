import { jobList, jobs } from '@riskboard/contract';
import { id } from '../../lib/list/search-schema.ts';
import { defineListSource, type StateOf } from '../../ui/list/define-list-source.ts';

/** The background jobs, newest first. */
export const jobsSource = defineListSource({
  route: '/dashboard/jobs',
  noun: 'jobs',
  list: jobList,
  calls: { list: jobs.list, facets: jobs.facets, export: jobs.export },
  rows: (reply) => reply.jobs,
  // Set by links of alerts.
  extra: { alert: id },
});
export type JobsSearch = StateOf<typeof jobsSource>;
