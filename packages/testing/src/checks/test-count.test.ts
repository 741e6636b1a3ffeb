import { describe, expect, it } from 'vitest';
import { addCounts, closingLine, countTests, failuresOf } from './test-count.ts';

const report = (testResults: unknown[], numbers: object = {}) =>
  JSON.stringify({
    numPassedTests: 0,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults,
    ...numbers,
  });

describe('countTests', () => {
  it('counts todo tests as skipped', () => {
    const json = report([], { numPassedTests: 5, numPendingTests: 2, numTodoTests: 1 });
    expect(countTests(json)).toEqual({ passed: 5, failed: 0, skipped: 3 });
  });

  it('counts a file that fails as a whole once, and other files by their failing tests', () => {
    const broken = { status: 'failed', assertionResults: [] };
    const hook = { status: 'failed', assertionResults: [{ status: 'passed' }] };
    const failing = { status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] };
    const json = report([broken, hook, failing], { numPassedTests: 2, numFailedTests: 1 });
    expect(countTests(json)).toEqual({ passed: 2, failed: 3, skipped: 0 });
  });
});

it('failuresOf names the file, the test and the first lines of the message', () => {
  const json = report([
    { name: '/a.test.ts', status: 'failed', message: 'does not load', assertionResults: [] },
    {
      name: '/b.test.ts',
      status: 'failed',
      message: '',
      assertionResults: [
        { status: 'passed', fullName: 'b adds' },
        { status: 'failed', fullName: 'b subtracts', failureMessages: ['Error: 1\nis not\n2\n at line 4'] },
      ],
    },
  ]);
  expect(failuresOf(json)).toEqual([
    '/a.test.ts\n  does not load',
    '/b.test.ts: b subtracts\n  Error: 1\n  is not\n  2',
  ]);
});

it('the closing line sums all runs', () => {
  const counts = [
    { passed: 410, failed: 0, skipped: 3 },
    { passed: 2, failed: 0, skipped: 0 },
  ];
  expect(closingLine(addCounts(counts))).toBe('412 passed, 0 failed, 3 skipped');
});
