import {
  entities,
  importDays,
  type CsvImport,
  type ImportCounts,
  type ImportNoun,
  type ImportRow,
  type UndoCounts,
} from '@riskboard/contract';
import { outcomeTexts, plural } from '@riskboard/domain';
import { isMissing } from '../../lib/api/errors.ts';
import { importOutcomes } from '../../lib/jobs/import-outcomes.ts';
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

interface ActionLook {
  label: string;
  tone: BadgeTone;
  /** The rows with this outcome: one of them, and several. */
  rows: readonly [one: string, many: string];
}

/** Outcomes of rows that were written, in the order in which they are shown. */
const writtenLooks = {
  created: { label: 'Created', tone: 'success', rows: ['created row', 'created rows'] },
  updated: { label: 'Updated', tone: 'info', rows: ['updated row', 'updated rows'] },
  unchanged: { label: 'Unchanged', tone: 'neutral', rows: ['unchanged row', 'unchanged rows'] },
  failed: { label: 'Failed', tone: 'danger', rows: ['failed row', 'failed rows'] },
  kept: { label: 'Kept', tone: 'warning', rows: ['kept row', 'kept rows'] },
} as const satisfies Record<RowAction, ActionLook>;

const checkedLooks = {
  ...writtenLooks,
  created: { label: 'To create', tone: 'success', rows: ['row to create', 'rows to create'] },
  updated: { label: 'To update', tone: 'info', rows: ['row to update', 'rows to update'] },
} as const satisfies Record<RowAction, ActionLook>;

/** Labels of the outcomes of an import's rows. */
export const actionLooks = ({ state }: Pick<CsvImport, 'state'>): Readonly<Record<RowAction, ActionLook>> =>
  isWritten(state) ? writtenLooks : checkedLooks;

/** Name of the page of an import. */
export const importTitle = (noun: ImportNoun): string => `Import ${entities[noun].many} from CSV`;

/** '3 assets'. */
export const records = (noun: ImportNoun, count: number): string =>
  plural(count, entities[noun].one, entities[noun].many);

/** Counts of a dry run or import in one line. */
export const countsText = (counts: ImportCounts, written: { isWritten: boolean }): string =>
  importOutcomes(counts, written).join(', ') || 'No rows';

/** Counts of an undo in one line. */
export const undoText = ({ deleted, restored, kept }: UndoCounts): string =>
  outcomeTexts({ deleted, restored, 'kept because they changed since': kept }).join(', ') ||
  'Nothing to undo';
