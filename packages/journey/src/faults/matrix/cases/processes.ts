import { setTimeout as sleep } from 'node:timers/promises';
import { type CrashPointName, crashPointNames, crashPoints } from '../crash-points.ts';
import { openOrganization, type Acknowledged } from '../organization.ts';
import { badAnswersOf, duringUploads, type FaultCase, pick, type Stage } from '../stage.ts';
import type { Program } from '../../../installation/program.ts';

const pointsOf = (process: 'api' | 'worker'): CrashPointName[] =>
  crashPointNames.filter((name) => crashPoints[name].process === process);

/** The process kills itself when it next visits the crash point. */
const crashAt = (program: Program, name: CrashPointName): void =>
  void program.child().send({ crashAt: name });

/** How often a point is tried before the case fails: the other process may take the work. */
const patience = 20;

/** Kills one process at each point while a client uploads, and starts it again each time. */
const killedAt =
  (process: 'api' | 'worker') =>
  async ({ installation }: Stage) => {
    const organization = await openOrganization(installation);
    const program = (process === 'api' ? installation.apis : installation.workers)[0] as Program;
    const uploads: Acknowledged[] = [];
    for (const point of pointsOf(process)) {
      crashAt(program, point);
      for (let n = 0; program.runs() && n < patience; n += 1) {
        uploads.push(await organization.upload(`${point} ${n}.json`.replaceAll(/[^\w .-]/gu, '')));
        await Promise.race([program.ended(), sleep(500)]);
      }
      if (program.runs()) throw new Error(`no ${process} visited the crash point "${point}"`);
      await program.start();
      await organization.endOfTwiceTried();
    }
    const endedAt = performance.now();
    const left = await organization.settle(uploads);
    return { ...left, recoveryMs: performance.now() - endedAt, problems: badAnswersOf(uploads) };
  };

export const processCases: readonly FaultCase[] = [
  {
    id: 'F1',
    fault: 'worker killed at a random moment',
    run: duringUploads(async ({ installation, random }) => {
      const worker = pick(installation.workers, random);
      await worker.kill();
      await worker.start();
    }),
  },
  {
    id: 'F1',
    fault: `worker killed at each of ${pointsOf('worker').length} crash points`,
    short: 'Redis',
    run: killedAt('worker'),
  },
  {
    id: 'F2',
    fault: 'worker stopped with SIGTERM',
    short: 'PostgreSQL',
    run: duringUploads(async ({ installation, random }) => {
      const worker = pick(installation.workers, random);
      const code = await worker.stop();
      await worker.start();
      return { problems: code === 0 ? [] : [`it exited with ${code}`] };
    }),
  },
  {
    id: 'F3, F4',
    fault: `api killed at each of ${pointsOf('api').length} crash points`,
    short: 'PostgreSQL',
    run: killedAt('api'),
  },
  {
    id: 'F3',
    fault: 'api killed at a random moment',
    short: 'Redis',
    run: duringUploads(async ({ installation, random }) => {
      const api = pick(installation.apis, random);
      await api.kill();
      await api.start();
    }),
  },
  {
    id: 'F14',
    fault: 'worker suspended longer than its lock, then resumed',
    short: 'PostgreSQL',
    run: duringUploads(async ({ installation, random }) => {
      const worker = pick(installation.workers, random);
      worker.freeze();
      // Its lock ends after 3 s, and stalled jobs are looked for each second.
      await sleep(5500);
      worker.resume();
    }),
  },
  {
    id: 'F18',
    fault: 'job that kills every worker that runs it',
    short: 'Redis',
    async run({ installation }) {
      const organization = await openOrganization(installation);
      // Before the upload: a worker may read it at once.
      for (const worker of installation.workers) crashAt(worker, 'parse: before commit');
      const poison = await organization.upload('poison.json');
      const poisoned = async () => (await organization.jobs()).find(({ kind }) => kind === 'stix.parse');
      for (let n = 0; n < 10 && (await poisoned())?.state !== 'failed'; n += 1) {
        const until = Date.now() + 15_000;
        while (installation.workers.every((worker) => worker.runs()) && Date.now() < until) {
          if ((await poisoned())?.state === 'failed') break;
          await sleep(50);
        }
        // Not by a message, before which the worker could have done the job.
        for (const worker of installation.workers)
          if (!worker.runs()) await worker.start({ FAULT_CRASH_AT: 'parse: before commit' });
      }
      const endedAt = performance.now();
      const failed = await poisoned();
      for (const worker of installation.workers) {
        await worker.kill();
        await worker.start();
      }
      const other = await organization.upload('other.json');
      const left = await organization.settle([other]);
      const problems = [
        ...(failed?.state === 'failed' ? [] : [`the job is ${failed?.state} after ${failed?.tries} tries`]),
        ...((failed?.tries ?? 0) > 3 ? [`the job was tried ${failed?.tries} times`] : []),
      ];
      return {
        ...left,
        recoveryMs: performance.now() - endedAt,
        problems: [...problems, ...badAnswersOf([poison])],
      };
    },
  },
  {
    id: 'F19',
    fault: 'worker whose clock is an hour wrong',
    short: 'PostgreSQL',
    run: duringUploads(async ({ installation, random }) => {
      const worker = pick(installation.workers, random);
      const hour = random() < 0.5 ? 3_600_000 : -3_600_000;
      await Promise.all(installation.workers.map((one) => one.kill()));
      await worker.start({ FAULT_CLOCK_MS: String(hour) });
      await sleep(3000);
      await worker.kill();
      await Promise.all(installation.workers.map((one) => one.start()));
    }),
  },
];
