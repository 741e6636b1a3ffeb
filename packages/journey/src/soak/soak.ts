// `pnpm soak --minutes N [--seed S] [--backend redis|postgresql] [--file HISTORY] [--variant NAME]` and
// `pnpm soak replay HISTORY`. See docs/reliability.md.
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { checkHistory, printViolation, rules } from './checker/check-history.ts';
import { type Entry, historyOf, readEntries } from './history.ts';
import { runSoak } from './run-soak.ts';
import { summarize } from './summary.ts';
import { provoke, type VariantName } from './variants/variants.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    backend: { type: 'string', default: 'redis' },
    file: { type: 'string' },
    variant: { type: 'string' },
    clients: { type: 'string', default: '4' },
    pause: { type: 'string', default: '250' },
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);

function refuse(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(2);
}

/** Prints figures and violations. @returns the exit code */
function judge(entries: readonly Entry[]): number {
  for (const line of summarize(entries)) say(line);
  const violations = checkHistory(historyOf(entries));
  for (const rule of Object.keys(rules))
    say(`${violations.filter((one) => one.rule === rule).length} violations: ${rule}`);
  for (const violation of violations.slice(0, 20)) say(printViolation(violation));
  return violations.length === 0 ? 0 : 1;
}

async function run(): Promise<number> {
  const { backend, variant } = values;
  if (backend !== 'redis' && backend !== 'postgresql') refuse('--backend is redis or postgresql.');
  if (variant !== undefined && !Object.hasOwn(provoke, variant))
    refuse(`--variant is one of ${Object.keys(provoke).join(', ')}.`);
  const file = values.file ?? path.join(tmpdir(), `soak-${Date.now()}.jsonl`);
  say(`History: ${file}`);
  const entries = await runSoak(
    {
      minutes: Number(values.minutes),
      seed: Number(values.seed),
      backend: backend === 'redis' ? 'Redis' : 'PostgreSQL',
      file,
      naive: variant === undefined ? [] : [variant as VariantName],
      clients: Number(values.clients),
      pauseMs: Number(values.pause),
    },
    say,
  );
  return judge(entries);
}

const [command, history] = positionals;
if (command === undefined) process.exitCode = await run();
else if (command === 'replay' && history !== undefined) process.exitCode = judge(readEntries(history));
else refuse('Use `pnpm soak --minutes N` or `pnpm soak replay HISTORY`.');
