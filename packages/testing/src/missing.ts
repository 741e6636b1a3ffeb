import { appendFileSync, existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** Path of the file that collects what a run could not test, one line each; the check prints it at its end. */
export const notesVariable = 'RISKBOARD_TEST_NOTES';

/**
 * Reports that a suite is skipped because this machine lacks something. @throws when `CI` is `true`, because CI must
 * skip no test
 */
export function reportMissing(what: string, reason: string): void {
  const line = `Not tested, ${what} is missing: ${reason}`;
  if (process.env['CI'] === 'true') throw new Error(line);
  note(line);
}

function note(line: string): void {
  const notes = process.env[notesVariable];
  if (notes) appendFileSync(notes, `${line}\n`);
}

/**
 * Folder of reference data beside the repository: real reports and expected scores. They are not part of the product, so
 * that a machine without them skips their tests, in CI too; the closing lines say so.
 * @returns undefined where it does not exist
 */
export function referenceData(part: 'stix' | 'cwss'): string | undefined {
  const folder = resolve(import.meta.dirname, '../../../../shared/data', part);
  if (existsSync(folder)) return folder;
  note(`Not tested, ../shared/data/${part} does not exist: the reference data is not part of the product`);
  return undefined;
}
