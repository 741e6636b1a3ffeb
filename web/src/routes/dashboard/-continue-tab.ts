import { ownerOf, type User } from '@riskboard/contract';
import type { QueryClient } from '@tanstack/react-query';
import { followedWork } from '../../lib/jobs/followed-work.ts';
import { restoreJobs } from '../../lib/jobs/kept-jobs.ts';
import { pageOwner } from '../../lib/session/page-owner.ts';
import { forgetDraftOfOthers } from '../../lib/session/kept-draft.ts';

/** Continues what this tab showed before a reload: the jobs, and the toasts about the end of work. */
export function continueTab(queryClient: QueryClient, user: User): void {
  const owner = ownerOf(user);
  // Another owner is shown once the page of this one is closed.
  if (pageOwner.get() === undefined) pageOwner.set(owner);
  restoreJobs(owner);
  forgetDraftOfOthers(user._id);
  const works = followedWork.setOwner(owner);
  if (works.length > 0)
    void import('./-resume-work.ts').then(({ resumeWork }) => resumeWork(queryClient, works));
}
