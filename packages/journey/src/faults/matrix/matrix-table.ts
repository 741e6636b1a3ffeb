import type { Backend } from '../../installation/installation.ts';
import type { FaultCase, Outcome } from './stage.ts';

/** All tries of one case on one backend. */
export interface MatrixRow {
  case: FaultCase;
  backend: Backend;
  outcomes: Outcome[];
}

const sum = (outcomes: readonly Outcome[], what: 'lost' | 'doubled' | 'stuck'): number =>
  outcomes.reduce((total, outcome) => total + outcome[what], 0);

const seconds = (ms: number): string => (ms / 1000).toFixed(1);

function cellsOf({ case: { id, fault }, backend, outcomes }: MatrixRow): string[] {
  const recoveries = outcomes.map(({ recoveryMs }) => recoveryMs).toSorted((one, other) => one - other);
  const slowest = outcomes.flatMap(({ slowestMs }) => (slowestMs === undefined ? [] : [slowestMs]));
  return [
    id,
    fault,
    backend,
    String(outcomes.reduce((total, { tries = 1 }) => total + tries, 0)),
    String(sum(outcomes, 'lost')),
    String(sum(outcomes, 'doubled')),
    String(sum(outcomes, 'stuck')),
    seconds(recoveries[Math.floor(recoveries.length / 2)] ?? 0),
    seconds(recoveries.at(-1) ?? 0),
    slowest.length === 0 ? '' : seconds(Math.max(...slowest)),
  ];
}

const titles = [
  '',
  'fault',
  'queue',
  'tries',
  'lost',
  'doubled',
  'stuck',
  'recovery s',
  'max s',
  'slowest answer s',
];

/** The rows as a table of Markdown. */
export function matrixTable(rows: readonly MatrixRow[]): string {
  const lines = [titles, titles.map(() => '---'), ...rows.map(cellsOf)];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
