import type { Reporter } from 'vitest/node';
import { addNote } from '../missing.ts';

/** Errors outside any test fail a run without a failed test. This reporter adds them to the closing notes of the check. */
export default class UnhandledErrors implements Reporter {
  onTestRunEnd(...[, errors]: Parameters<NonNullable<Reporter['onTestRunEnd']>>): void {
    for (const { message, stack } of errors) {
      const line = stack?.split('\n').find((one) => one.trimStart().startsWith('at ')) ?? '';
      addNote(`✗ Error outside any test: ${message.split('\n')[0]}${line && ` (${line.trim()})`}`);
    }
  }
}
