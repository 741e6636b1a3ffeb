import { JobKind, JobState } from '@riskboard/contract';
import { z } from 'zod';
import { listSearch } from '../../lib/list-search.ts';

/** State of the job list in the address. */
export const jobsSearch = listSearch(['createdAt', 'finishedAt', 'kind', 'state'], '-createdAt')
  .omit({ search: true })
  .extend({
    /** The job list has no search; its place in the state of a list stays empty. */
    search: z.literal('').default('').catch(''),
    state: JobState.optional().catch(undefined),
    kind: JobKind.optional().catch(undefined),
  });
export type JobsSearch = z.infer<typeof jobsSearch>;
