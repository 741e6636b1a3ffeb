import type { Job } from '@riskboard/contract';
import { isLive } from './job-labels.ts';
import { jobStore } from './job-store.ts';

const key = 'riskboard.jobs';

/** Active jobs, and ended ones, that are kept: the session storage holds a few MiB. */
const mostKept = 300;

interface KeptJobs {
  readonly owner: string;
  readonly jobs: readonly Job[];
}

let owner = '';

/** Keeps the jobs of the page for the next load of this tab, which then shows no earlier state than this one did. */
function keep(): void {
  const jobs = [...jobStore.get().values()];
  const live = jobs.filter(isLive).slice(-mostKept);
  const ended = jobs.filter((job) => !isLive(job)).slice(-mostKept);
  try {
    if (owner === '' || jobs.length === 0) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify({ owner, jobs: [...ended, ...live] } satisfies KeptJobs));
  } catch {
    // Without storage, the page starts with the jobs of the server.
  }
}

function readKept(): KeptJobs | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? 'null') as KeptJobs | null;
    sessionStorage.removeItem(key);
    return kept;
  } catch {
    return null;
  }
}

/**
 * Fills the job store with the jobs that this tab showed before a reload, if they belong to the same user in the same
 * organization. The versions decide about jobs that the server sends meanwhile.
 */
export function restoreJobs(next: string): void {
  if (owner === next) return;
  const kept = owner === '' ? readKept() : null;
  if (owner === '') window.addEventListener('pagehide', keep);
  owner = next;
  if (kept?.owner === next) for (const job of kept.jobs) jobStore.apply(job);
}

/** Keeps no jobs from now on: the user has logged out. */
export function forgetJobs(): void {
  owner = '';
  window.removeEventListener('pagehide', keep);
}
