import {
  entities,
  importDays,
  type CsvImport,
  type ImportCounts,
  type ImportNoun,
  type ImportRow,
  type UndoCounts,
} from '@riskboard/contract';
import { formatCount, plural } from '@riskboard/domain';
import { isMissing } from '../../lib/api/errors.ts';
import type { BadgeTone } from '../../ui/badge/badge.tsx';

/** Title of the page of an import that could not be loaded. */
export const missingTitle = (error: unknown): string =>
  isMissing(error) ? 'Import not found' : 'Failed to load the import.';
export const missingText = `The address may be mistyped, or the import was deleted. Imports are kept for ${importDays} days.`;

export type ImportState = CsvImport['state'];
export type RowAction = ImportRow['action'];

/** Labels of the states of an import. */
export const stateLooks = {
  uploaded: { label: 'Not imported', tone: 'neutral' },
  checking: { label: 'Checking', tone: 'info' },
  checked: { label: 'Checked, not imported', tone: 'neutral' },
  importing: { label: 'Importing', tone: 'info' },
  imported: { label: 'Imported', tone: 'success' },
  undoing: { label: 'Undoing', tone: 'info' },
  undone: { label: 'Undone', tone: 'warning' },
  failed: { label: 'Failed', tone: 'danger' },
} as const satisfies Record<ImportState, { label: string; tone: BadgeTone }>;

/** Whether a job works on the import. */
export const isRunning = (state: ImportState): boolean =>
  state === 'checking' || state === 'importing' || state === 'undoing';

/** Whether the rows were written, also if that was undone later. */
export const isWritten = (state: ImportState): boolean =>
  state === 'imported' || state === 'undoing' || state === 'undone';

/** Outcomes of rows, in the order in which they are shown. */
export const actionLooks = {
  created: { label: 'Created', tone: 'success' },
  updated: { label: 'Updated', tone: 'info' },
  unchanged: { label: 'Unchanged', tone: 'neutral' },
  failed: { label: 'Failed', tone: 'danger' },
  kept: { label: 'Kept', tone: 'warning' },
} as const satisfies Record<RowAction, { label: string; tone: BadgeTone }>;

/** Name of the page of an import. */
export const importTitle = (noun: ImportNoun): string => `Import ${entities[noun].many} from CSV`;

/** '3 assets'. */
export const records = (noun: ImportNoun, count: number): string =>
  plural(count, entities[noun].one, entities[noun].many);

/** '12 created, 3 updated': the parts that are not zero. */
const listed = (parts: readonly (readonly [count: number, what: string])[]): string =>
  parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${formatCount(count)} ${what}`)
    .join(', ');

/** Counts of a dry run or import in one line. */
export const countsText = ({ created, updated, unchanged, failed }: ImportCounts): string =>
  listed([
    [created, 'created'],
    [updated, 'updated'],
    [unchanged, 'unchanged'],
    [failed, 'failed'],
  ]) || 'No rows';

/** Counts of an undo in one line. */
export const undoText = ({ deleted, restored, kept }: UndoCounts): string =>
  listed([
    [deleted, 'deleted'],
    [restored, 'restored'],
    [kept, 'kept because they changed since'],
  ]) || 'Nothing to undo';
