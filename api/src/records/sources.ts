import type { RecordSource } from '@riskboard/contract';
import { recordSources, reportColumns, revertToReports } from '@riskboard/db';
import { recordActivity } from '../lib/activity/record-activity.ts';
import type { Caller } from '../lib/security/caller.ts';
import { differs } from '../lib/columns.ts';
import { Failure } from '../lib/http/failure.ts';
import { findRecord, type FullRecord, lockRecord } from './find.ts';
import { type RecordContext, type RecordRow, type Values, withCompanions } from './kind.ts';
import { changesBetween } from './write.ts';

/** A column as the field that people know; columns that are no field of theirs are left out. */
const fieldOf = ({ kind }: RecordContext, column: string): string | undefined =>
  Object.entries(kind.columns).find(([, known]) => known === column)?.[0];

/** The fields of an imported record that a person changed. */
export const editedFieldsOf = (context: RecordContext, columns: readonly string[]): string[] =>
  columns.flatMap((column) => fieldOf(context, column) ?? []);

/** What each report says of a record, the one that counts first. */
export async function sourcesOf(
  context: RecordContext,
  id: string,
): Promise<{ sources: RecordSource[]; editedFields: string[] }> {
  const { row } = await findRecord(context, id);
  const sources = await recordSources(context.trx, context.kind.table, id);
  return {
    sources: sources.map((source, n) => ({
      fileId: source.file_id,
      file: source.file,
      uploadedAt: source.uploaded_at.toISOString(),
      place: source.place,
      type: source.type,
      stixId: source.stix_id,
      modified: source.modified?.toISOString() ?? null,
      state: source.state,
      current: n === 0,
      fields: Object.fromEntries(
        Object.entries(source.fields).flatMap(([column, value]) => {
          const field = fieldOf(context, column);
          return field === undefined ? [] : [[field, value]];
        }),
      ),
    })),
    editedFields: editedFieldsOf(context, row.edited_fields),
  };
}

/**
 * Takes fields back to what the reports say; without names, every one that a person changed and a report speaks of.
 * @throws Failure 404; 409 when there is nothing to take back or no report to take it from
 */
export async function revertRecord(
  context: RecordContext,
  { id, fields, caller }: { id: string; fields: readonly string[] | undefined; caller: Caller },
): Promise<FullRecord> {
  const { trx, kind } = context;
  const row = await lockRecord(context, id);
  const before = await findRecord(context, id);
  const known = new Set(Object.keys(reportColumns[kind.table]));
  const wanted = fields?.flatMap((field) => kind.columns[field] ?? []);
  const named = wanted === undefined ? known : new Set(withCompanions(kind, wanted));
  const columns = row.edited_fields.filter((column) => known.has(column) && named.has(column));
  if (columns.length === 0) throw new Failure('conflict', 'Nobody changed what the reports say here.');
  if (!(await revertToReports(trx, kind.table, { id, columns, by: caller.accountId }))) {
    throw new Failure('conflict', 'No report speaks of this any more.');
  }
  await deriveAnew(context, await lockRecord(context, id), columns);
  const record = await findRecord(context, id);
  await recordActivity(trx, caller, {
    action: `${kind.table}.reverted`,
    noun: kind.noun,
    nounId: id,
    name: record.row.name,
    detail: {
      fields: editedFieldsOf(context, columns),
      changes: changesBetween(context, before, record),
    },
  });
  return record;
}

/** What follows from the columns that were taken back, and was not taken back itself: a derived risk level. */
async function deriveAnew(
  { trx, kind }: RecordContext,
  row: RecordRow,
  columns: readonly string[],
): Promise<void> {
  const back: Values = Object.fromEntries(
    columns.flatMap((column) => (kind.together.flat().includes(column) ? [] : [[column, row[column]]])),
  );
  const follows = Object.entries(kind.derive(back, row)).filter(([column, value]) =>
    differs(value, row[column]),
  );
  if (follows.length === 0) return;
  await trx
    .updateTable(kind.table)
    .set(Object.fromEntries(follows) as never)
    .where('id', '=', row.id)
    .execute();
}
