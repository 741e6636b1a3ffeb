import { appendFileSync } from 'node:fs';

/** File that collects what a run could not test, one line each; the check prints it at its end. */
export const notesVariable = 'RISKBOARD_TEST_NOTES';

/**
 * Says that a suite is skipped because this machine lacks something. @throws where `CI` is `true`: there nothing may be
 * missing (contract of `npm test`).
 */
export function reportMissing(what: string, reason: string): void {
  const line = `Not tested for want of ${what}: ${reason}`;
  if (process.env['CI'] === 'true') throw new Error(line);
  const notes = process.env[notesVariable];
  if (notes) appendFileSync(notes, `${line}\n`);
}
