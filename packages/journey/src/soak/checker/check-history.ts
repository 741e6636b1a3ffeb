import type { History } from '../history.ts';
import { noInternalErrors, readsAreAsNewAsEvents } from './events.ts';
import { acknowledgedFilesArePresent, filesAreWhole, uploadsHappenOnce } from './files.ts';
import { countersEqualRecount, noJobIsStuck, nothingIsDouble } from './jobs.ts';
import { acknowledgedRecordsArePresent, versionsAreLinear } from './records.ts';
import type { Rule, Violation } from './violation.ts';

/** Every promise that a history is checked for. */
export const rules = {
  'acknowledged files are present': acknowledgedFilesArePresent,
  'stored files are whole': filesAreWhole,
  'an upload happens once': uploadsHappenOnce,
  'acknowledged records are present': acknowledgedRecordsArePresent,
  'versions are linear': versionsAreLinear,
  'no job is stuck': noJobIsStuck,
  'nothing is double': nothingIsDouble,
  'counters equal a recount': countersEqualRecount,
  'reads are as new as the events before them': readsAreAsNewAsEvents,
  'no internal errors': noInternalErrors,
} as const satisfies Record<string, Rule>;

export const checkHistory = (history: History): Violation[] =>
  Object.entries(rules).flatMap(([rule, check]) => check(history).map((finding) => ({ rule, ...finding })));

const mostShown = 8;

/** A violation with the operations that show it, a line each. */
export const printViolation = ({ rule, message, shown }: Violation): string =>
  [`${rule}: ${message}`, ...shown.slice(-mostShown).map((entry) => `  ${JSON.stringify(entry)}`)].join('\n');
