import { setTimeout as sleep } from 'node:timers/promises';
import type { Backend, Installation } from '../../installation/installation.ts';
import { type Acknowledged, type Left, openOrganization, type Organization } from './organization.ts';

/** What one run of a case found. */
export interface Outcome extends Left {
  /** Faults of this run; 1 by default. */
  tries?: number;
  /** From the end of the fault until everything that was acknowledged is processed, in milliseconds. */
  recoveryMs: number;
  /** Sentences; each fails the case. */
  problems: string[];
  /** The slowest answer during the fault, in milliseconds, where the promise limits it. */
  slowestMs?: number;
}

export interface Stage {
  installation: Installation;
  /** Seeded random numbers from 0 to 1. */
  random: () => number;
}

/** A row of the fault matrix. */
export interface FaultCase {
  /** Of `Fault matrix` in docs/reliability.md. */
  id: string;
  fault: string;
  /** Why it cannot occur on a backend. */
  not?: Partial<Record<Backend, string>>;
  /** The only backend of the short run of `npm test`. */
  short?: Backend;
  run(stage: Stage): Promise<Outcome>;
}

export interface Disturbance extends Stage {
  organization: Organization;
}

/** What a disturbance reports. */
export interface Disturbed {
  problems?: string[];
  slowestMs?: number;
  /** Acknowledged by the disturbance itself. */
  uploads?: Acknowledged[];
}

/** Uploads of two clients at once. */
async function uploadAll(organization: Organization, files: number): Promise<Acknowledged[]> {
  const names = Array.from({ length: files }, (_, n) => `report-${n}.json`);
  const acknowledged: Acknowledged[] = [];
  async function client(): Promise<void> {
    for (let name = names.shift(); name !== undefined; name = names.shift())
      acknowledged.push(await organization.upload(name));
  }
  await Promise.all([client(), client()]);
  return acknowledged;
}

export const badAnswersOf = (uploads: readonly Acknowledged[]): string[] =>
  uploads
    .filter(({ badAnswers }) => badAnswers.length > 0)
    .map(({ name, badAnswers }) => `${name} was answered ${badAnswers.join(', ')}`);

/** A case that disturbs two clients that upload reports, and the jobs of these. */
export const duringUploads =
  (disturb: (disturbance: Disturbance) => Promise<Disturbed | void>, files = 6): FaultCase['run'] =>
  async (stage) => {
    const organization = await openOrganization(stage.installation);
    const uploading = uploadAll(organization, files);
    // A failure is reported after the disturbance has ended.
    uploading.catch(() => undefined);
    await sleep(stage.random() * 700);
    const { problems = [], uploads: own = [], slowestMs } = (await disturb({ ...stage, organization })) ?? {};
    const endedAt = performance.now();
    const uploads = [...own, ...(await uploading)];
    const left = await organization.settle(uploads);
    const recoveryMs = performance.now() - endedAt;
    return {
      ...left,
      recoveryMs,
      problems: [...problems, ...badAnswersOf(uploads)],
      ...(slowestMs === undefined ? {} : { slowestMs }),
    };
  };

export const pick = <T>(all: readonly T[], random: () => number): T => {
  const one = all[Math.floor(random() * all.length)];
  if (one === undefined) throw new Error('nothing to pick from');
  return one;
};
