import type { Job } from '@riskboard/contract';
import { jobStore } from './job-store.ts';

const key = 'riskboard.jobs';

interface KeptJobs {
  readonly owner: string;
  readonly jobs: readonly Job[];
}

let owner = '';

/** Keeps jobs of the page for the next load of this tab, which then shows no earlier state than this one did. */
export function keepJobs(jobs: readonly Job[]): void {
  try {
    if (owner === '' || jobs.length === 0) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify({ owner, jobs } satisfies KeptJobs));
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
  owner = next;
  if (kept?.owner === next) for (const job of kept.jobs) jobStore.apply(job);
}

/** Keeps no jobs from now on: the user has logged out. */
export function forgetJobs(): void {
  owner = '';
}
