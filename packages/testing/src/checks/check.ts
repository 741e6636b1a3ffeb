import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { notesVariable } from '../missing.ts';
import { endSteps, runSteps, type Step } from './step.ts';
import { addCounts, closingLine, countTests, failuresOf, type TestCount } from './test-count.ts';

const script = (name: string, run: string): Step => ({ name, command: 'pnpm', arguments: ['run', run] });

const advisories: Step = {
  name: 'advisories of dependencies',
  command: 'node',
  arguments: ['packages/testing/src/checks/check-advisories.ts'],
};

/** Of Go programs: steps run in pairs, and on two cores more threads take twice the CPU time without being faster. */
const oneThread = { GOMAXPROCS: '1' };

/** What `npm test` and CI run first; the tests follow. */
const quickSteps: readonly Step[] = [
  { ...script('types', 'types'), environment: oneThread },
  { ...script('lint', 'lint'), environment: oneThread },
  { ...script('web build', 'build'), environment: { PAGE_LIMITS: 'strict' } },
  script('format', 'format:check'),
  script('dead code', 'dead'),
  // Needs the registry, so only CI asks it.
  ...(process.env['CI'] === 'true' ? [advisories] : []),
];

const folder = await mkdtemp(join(tmpdir(), 'riskboard-check-'));
const notes = join(folder, 'notes');
// All steps inherit it.
process.env[notesVariable] = notes;

interface Tests {
  name: string;
  projects: readonly string[];
  /** Test files at once; absent: as vitest.config.ts says. */
  workers?: number;
}

const tests = ({ name, projects, workers }: Tests): Step & { report: string } => {
  const report = join(folder, `${name}.json`);
  const reporters = [
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    '--reporter=./packages/testing/src/checks/unhandled-errors.ts',
    '--reporter=./packages/testing/src/checks/retried-tests.ts',
    // A CI machine can be slow for seconds. The closing notes name every test that needed its second try.
    ...(process.env['CI'] === 'true' ? ['--retry=1'] : []),
  ];
  return {
    name,
    command: 'vitest',
    arguments: [
      'run',
      ...projects.map((project) => `--project=${project}`),
      ...(workers === undefined ? [] : [`--maxWorkers=${workers}`]),
      ...reporters,
    ],
    live: true,
    report,
  };
};

/** Tests that mostly wait for locks, delays and starting processes. */
const waiting = ['faults', 'queue'];

/**
 * One after the other, because each needs both cores: the unit and integration tests took twice their time beside the
 * faults, whose tests read again and again while they wait.
 */
const runs = [
  tests({ name: 'unit and integration', projects: ['journey', ...waiting].map((project) => `!${project}`) }),
  tests({ name: 'faults and queue', projects: waiting, workers: 4 }),
  tests({ name: 'journey', projects: ['journey'] }),
];

interface RunResult {
  count: TestCount;
  failures: readonly string[];
}

async function resultOf({ name, report }: { name: string; report: string }): Promise<RunResult> {
  const json = await readFile(report, 'utf8').catch(() => undefined);
  // A runner that ends without a report counts as a failure.
  if (json === undefined)
    return {
      count: { passed: 0, failed: 1, skipped: 0 },
      failures: [`${name}: the test runner wrote no report`],
    };
  return { count: countTests(json), failures: failuresOf(json) };
}

async function closingNotes(): Promise<string> {
  const text = await readFile(notes, 'utf8').catch(() => '');
  return [...new Set(text.split('\n').filter(Boolean))].map((line) => `${line}\n`).join('');
}

/** The steps run in their own process groups, which neither Ctrl-C nor the end of `npm test` reaches. */
function abort(): void {
  endSteps();
  process.exit(1);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.once(signal, abort);
process.channel?.unref();

const failed = await runSteps(quickSteps, 2);
failed.push(...(await runSteps(runs, 1)));
const results = await Promise.all(runs.map(resultOf));

process.stdout.write(`\n${await closingNotes()}`);
for (const failure of results.flatMap(({ failures }) => failures)) process.stdout.write(`✗ ${failure}\n`);
if (failed.length > 0) process.stdout.write(`Failed: ${failed.join(', ')}\n`);
process.stdout.write(`${closingLine(addCounts(results.map(({ count }) => count)))}\n`);
await rm(folder, { recursive: true, force: true });
process.exitCode = failed.length > 0 ? 1 : 0;
