import { jobKinds, jobs, jobStates } from '@riskboard/contract';
import { defineListSource, type StateOf } from '../../ui/table/define-list-source.ts';

/** The background jobs, newest first. */
export const jobsSource = defineListSource({
  route: '/dashboard/jobs',
  noun: 'jobs',
  list: {
    fields: {
      kind: { label: 'Job', kind: 'choice', values: Object.keys(jobKinds) },
      state: { label: 'State', kind: 'choice', values: jobStates },
      createdAt: { label: 'Asked for', kind: 'time' },
      finishedAt: { label: 'Ended', kind: 'time' },
    },
    standard: '-createdAt',
  },
  calls: { list: jobs.list },
  rows: (reply) => reply.jobs,
});
export type JobsSearch = StateOf<typeof jobsSource>;
