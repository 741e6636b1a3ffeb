/** The used part of vitest's JSON report. */
interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] | null }[];
  }[];
}

export interface TestCount {
  passed: number;
  failed: number;
  skipped: number;
}

/** Files that fail without any failing test: they do not load, or a hook throws. Each counts as one failure. */
const failedFiles = ({ testResults }: Report): Report['testResults'] =>
  testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  );

const firstLines = (text: string): string => text.split('\n').slice(0, 3).join('\n  ');

/**
 * Each failure with its file and the first lines of its message. The closing lines repeat them, because CI services
 * keep only the end of a long output.
 */
export function failuresOf(json: string): string[] {
  const report = JSON.parse(json) as Report;
  const tests = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(
        ({ fullName, failureMessages }) =>
          `${name}: ${fullName}\n  ${firstLines(failureMessages?.[0] ?? 'no message')}`,
      ),
  );
  return [...failedFiles(report).map(({ name, message }) => `${name}\n  ${firstLines(message)}`), ...tests];
}

export function countTests(json: string): TestCount {
  const report = JSON.parse(json) as Report;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + failedFiles(report).length,
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
