import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { seeded } from '../../support/seeded.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, type Installation, startInstallation } from '../../installation/installation.ts';
import { fileCases } from './cases/files.ts';
import { processCases } from './cases/processes.ts';
import { serviceCases } from './cases/services.ts';
import { socketCases } from './cases/sockets.ts';
import { type MatrixRow, matrixTable } from './matrix-table.ts';
import type { FaultCase, Outcome } from './stage.ts';

/** FAULT_TRIES=20 repeats each case, FAULT_SEED repeats a run, FAULT_ONLY=F7,F8 runs the cases with these ids. */
const tries = Number(process.env['FAULT_TRIES'] ?? 1);
const seed = Number(process.env['FAULT_SEED'] ?? 20_261_123);
const only = process.env['FAULT_ONLY']?.split(',');
/** `npm test` runs most cases on one of the backends. */
const all = process.env['FAULT_ALL'] === '1' || only !== undefined;
const cases = [...processCases, ...serviceCases, ...fileCases, ...socketCases].filter(
  ({ id }) => only === undefined || id.split(', ').some((row) => only.includes(row)),
);

const crashAtModule = import.meta.resolve('./crash-at.ts');

interface Failure {
  one: FaultCase;
  backend: Backend;
  seed: number;
  outcome: Outcome;
}

/** Writes what failed, how to repeat it and the log of the processes to the folder for temporary files. */
function saveFailure(
  { one: { id, fault }, backend, seed: failed, outcome }: Failure,
  installation: Installation,
): void {
  const file = path.join(tmpdir(), `riskboard-fault-${backend}-${failed}.json`);
  const repeat = `FAULT_ONLY=${id.split(', ')[0]} FAULT_SEED=${failed} pnpm faults ${backend.toLowerCase()}`;
  writeFileSync(file, JSON.stringify({ fault, backend, repeat, outcome, log: installation.log() }, null, 2));
  process.stdout.write(`\n${fault}: see ${file}, repeat with ${repeat}\n`);
}

/** The fault matrix on one backend of the queue, printed at the end. */
export const describeMatrix = (backend: Backend) =>
  describe(`faults with the queue on ${backend}`, () => {
    let installation: Installation;
    const rows: MatrixRow[] = [];
    beforeAll(async () => {
      installation = await startInstallation({ backend, preload: [crashAtModule] });
    });
    afterEach(() => installation.repair());
    afterAll(async () => {
      process.stdout.write(`\nFault matrix, seed ${seed}\n${matrixTable(rows)}\n`);
      await installation?.stop();
    });

    const possible = cases.filter(
      ({ not, short = backend }) => not?.[backend] === undefined && (all || short === backend),
    );
    it.each(possible.map((one) => [`${one.id} ${one.fault}`, one] as const))(
      '%s loses, doubles and blocks nothing',
      { timeout: 300_000 * tries },
      async (_name, one) => {
        const row: MatrixRow = { case: one, backend, outcomes: [] };
        rows.push(row);
        for (let n = 0; n < tries; n += 1) {
          const outcome = await one.run({ installation, random: seeded(seed + n) });
          row.outcomes.push(outcome);
          const { lost, doubled, stuck, problems } = outcome;
          if (lost + doubled + stuck + problems.length > 0)
            saveFailure({ one, backend, seed: seed + n, outcome }, installation);
          // As text: the difference of objects that the test runner prints shows only a part of the problems.
          const found = JSON.stringify({ lost, doubled, stuck, problems });
          expect(found).toBe(JSON.stringify({ lost: 0, doubled: 0, stuck: 0, problems: [] }));
          await installation.repair();
        }
      },
    );
  });
