import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from '@riskboard/contract';
import type { ProgressBar } from './progress-bar.ts';
import { call, type Session } from './session.ts';

export interface Imported {
  vulnerabilities: number;
  threats: number;
}

const sample = new URL('../../sample/northquay-logistics-2025.json', import.meta.url);
const pollMs = 150;
const finals = new Set<Job['state']>(['succeeded', 'failed', 'cancelled']);

/** Labels of the job kinds in the terminal. */
const labels: Partial<Record<Job['kind'], string>> = {
  'stix.parse': 'reading the report',
  'stix.extract': 'extracting its records',
};

async function upload(session: Session): Promise<{ id: string }> {
  const body = new FormData();
  const file = new Blob([await readFile(sample)], { type: 'application/json' });
  body.append('stixFile', file, sample.pathname.split('/').at(-1));
  const path = '/api/reports/upload?extract=vulnerabilities,threats';
  return call(session, { method: 'POST', path, body });
}

async function jobsOf(session: Session, fileId: string): Promise<Job[]> {
  const { jobs } = await call<{ jobs: Job[] }>(session, {
    path: `/api/jobs?fileId=${fileId}&sort=createdAt`,
  });
  return jobs;
}

/** The result when all jobs have ended. The parse's last transaction creates the extraction that the upload requested. */
function outcome(jobs: readonly Job[]): Imported | undefined {
  const failed = jobs.find((job) => job.state === 'failed' || job.state === 'cancelled');
  if (failed) throw new Error(failed.error?.message ?? `${labels[failed.kind] ?? failed.kind} was cancelled`);
  const extractions = jobs.filter((job) => job.kind === 'stix.extract');
  if (extractions.length === 0 || jobs.some((job) => !finals.has(job.state))) return undefined;
  const created = { vulnerabilities: 0, threats: 0 };
  for (const { result } of extractions) {
    if (!result || !('byKind' in result)) continue;
    created.vulnerabilities += result.byKind.vulnerabilities?.created ?? 0;
    created.threats += result.byKind.threats?.created ?? 0;
  }
  return created;
}

/** Uploads the bundled report and shows the progress of its jobs until they end. @throws when one fails */
export async function importSample(session: Session, bar: ProgressBar): Promise<Imported> {
  const { id } = await upload(session);
  for (;;) {
    const jobs = await jobsOf(session, id);
    const imported = outcome(jobs);
    if (imported) return imported;
    const job = jobs.find(({ state }) => !finals.has(state));
    if (job) bar.show(labels[job.kind] ?? job.kind, job.progress.done, job.progress.total);
    await sleep(pollMs, undefined, { signal: session.signal });
  }
}
