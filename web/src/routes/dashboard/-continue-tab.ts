import type { User } from '@riskboard/contract';
import type { QueryClient } from '@tanstack/react-query';
import { followedWork } from '../../lib/jobs/followed-work.ts';
import { restoreJobs } from '../../lib/jobs/kept-jobs.ts';

/** Continues what this tab showed before a reload: the jobs, and the toasts about the end of work. */
export function continueTab(queryClient: QueryClient, { _id, organizationId }: User): void {
  const owner = `${_id} ${organizationId}`;
  restoreJobs(owner);
  const works = followedWork.setOwner(owner);
  if (works.length > 0)
    void import('./-resume-work.ts').then(({ resumeWork }) => resumeWork(queryClient, works));
}
