/** The used part of vitest's JSON report. */
interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: string; assertionResults: { status: string }[] }[];
}

export interface TestCount {
  passed: number;
  failed: number;
  skipped: number;
}

/** A file that fails without any failing test (it does not load, a hook throws) counts as one failure. */
const failedFiles = ({ testResults }: Report): number =>
  testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  ).length;

export function countTests(json: string): TestCount {
  const report = JSON.parse(json) as Report;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + failedFiles(report),
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

export const addCounts = (counts: readonly TestCount[]): TestCount => ({
  passed: counts.reduce((sum, { passed }) => sum + passed, 0),
  failed: counts.reduce((sum, { failed }) => sum + failed, 0),
  skipped: counts.reduce((sum, { skipped }) => sum + skipped, 0),
});

/** The closing line of `npm test`. */
export const closingLine = ({ passed, failed, skipped }: TestCount): string =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;
