import { appendFileSync } from 'node:fs';

/** Path of the file that collects what a run could not test, one line each; the check prints it at its end. */
export const notesVariable = 'RISKBOARD_TEST_NOTES';

/**
 * Reports that a suite is skipped because this machine lacks something. @throws when `CI` is `true`, because CI must
 * skip no test
 */
export function reportMissing(what: string, reason: string): void {
  const line = `Not tested, ${what} is missing: ${reason}`;
  if (process.env['CI'] === 'true') throw new Error(line);
  const notes = process.env[notesVariable];
  if (notes) appendFileSync(notes, `${line}\n`);
}
