import type { User } from '@riskboard/contract';
import type { QueryClient } from '@tanstack/react-query';
import { followedWork } from '../../lib/jobs/followed-work.ts';
import { restoreJobs } from '../../lib/jobs/kept-jobs.ts';
import { ownerOf } from '../../lib/session/account.ts';
import { forgetDraftOfOthers } from '../../lib/session/kept-draft.ts';

/** Continues what this tab showed before a reload: the jobs, and the toasts about the end of work. */
export function continueTab(queryClient: QueryClient, user: User): void {
  const owner = ownerOf(user);
  restoreJobs(owner);
  forgetDraftOfOthers(user._id);
  const works = followedWork.setOwner(owner);
  if (works.length > 0)
    void import('./-resume-work.ts').then(({ resumeWork }) => resumeWork(queryClient, works));
}
