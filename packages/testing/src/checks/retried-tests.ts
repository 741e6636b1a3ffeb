import { relative } from 'node:path';
import type { Reporter, TestCase } from 'vitest/node';
import { addNote } from '../missing.ts';

/** Adds each test that passed only at its second try to the closing notes of the check. */
export default class RetriedTests implements Reporter {
  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky !== true) return;
    const first = test.result().errors?.[0]?.message.split('\n')[0] ?? 'no message';
    const file = relative(process.cwd(), test.module.moduleId);
    addNote(`! Passed only at the second try: ${file}: ${test.fullName} (${first})`);
  }
}
