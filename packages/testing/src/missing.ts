import { appendFileSync, existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** Path of the file that collects the closing notes of the check, one line each. */
export const notesVariable = 'RISKBOARD_TEST_NOTES';

/** Adds a line to the closing notes of the check. Without a check, as in a single test run, it does nothing. */
export function addNote(line: string): void {
  const notes = process.env[notesVariable];
  if (notes) appendFileSync(notes, `${line}\n`);
}

/**
 * Reports that a suite is skipped because this machine lacks something. @throws when `CI` is `true`, because CI must
 * skip no test
 */
export function reportMissing(what: string, reason: string): void {
  const line = `Not tested, ${what} is missing: ${reason}`;
  if (process.env['CI'] === 'true') throw new Error(line);
  addNote(line);
}

/**
 * Folder of reference data beside the repository: real reports and expected scores. They are not part of the product, so
 * that a machine without them skips their tests, in CI too; the closing lines say so.
 * @returns undefined where it does not exist
 */
export function referenceData(part: 'stix' | 'cwss'): string | undefined {
  const folder = resolve(import.meta.dirname, '../../../../shared/data', part);
  if (existsSync(folder)) return folder;
  addNote(`Not tested, ../shared/data/${part} does not exist: the reference data is not part of the product`);
  return undefined;
}
