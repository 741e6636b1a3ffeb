import {
  editableColumns,
  type RecordSource,
  type RecordSources,
  type RelatedRecords,
} from '@riskboard/contract';
import { recordSources, relatedRecords, reportColumns, revertToReports } from '@riskboard/db';
import type { FastifyRequest } from 'fastify';
import { recordActivity } from '../lib/activity/record-activity.ts';
import type { Caller } from '../lib/security/caller.ts';
import { type Columns, isBlank, type Values } from '../lib/columns.ts';
import { Failure } from '../lib/http/failure.ts';
import { requireVersion } from '../lib/http/if-match.ts';
import { lockRecord } from './find.ts';
import { type FullRecord, type RecordContext, withCompanions } from './entity-rules.ts';
import { fieldsOfColumns } from './record-rules.ts';
import { changesBetween, lastChanger } from './write.ts';

/** The columns of a CVSS score, which are taken together. */
const isOfScore = (column: string): boolean => column.startsWith('cvss_') || column === 'severity';

/**
 * Of each source, in the order in which they count, the columns that those before it leave empty; none of a source that does
 * not count. The first score with a vector counts rather than an earlier one without.
 */
function filledBy(sources: readonly { counts: boolean; fields: Readonly<Values> }[]): string[][] {
  const filled = new Set<string>();
  const scored = sources.findIndex(({ counts, fields }) => counts && !isBlank(fields['cvss_vector']));
  return sources.map(({ counts, fields }, n) => {
    const own = Object.entries(counts ? fields : {}).flatMap(([column, value]) =>
      isBlank(value) || filled.has(column) || (isOfScore(column) && n < scored) ? [] : [column],
    );
    for (const column of own) filled.add(column);
    return own;
  });
}

/** What each object of the reports says about a record, the one that counts first. */
export async function sourcesOf({ trx, rules }: RecordContext, id: string): Promise<RecordSources> {
  const { row } = await rules.find(trx, id);
  const { sources: rows, total, reportTotal } = await recordSources(trx, rules.table, id);
  const sources = rows.map((source, n): Omit<RecordSource, 'fills'> => ({
    fileId: source.file_id,
    file: source.file,
    uploadedAt: source.uploaded_at.toISOString(),
    location: source.location,
    type: source.type,
    stixId: source.stix_id,
    modified: source.modified?.toISOString() ?? null,
    state: source.state,
    current: n === 0,
    fields: Object.fromEntries(
      Object.entries(source.fields).flatMap(([column, value]) =>
        fieldsOfColumns(rules, [column]).map((field) => [field, value]),
      ),
    ),
  }));
  const filled = filledBy(rows);
  return {
    sources: sources.map((source, n) => ({
      ...source,
      fills: n === 0 ? [] : fieldsOfColumns(rules, filled[n] ?? []),
    })),
    total,
    reportTotal,
    editedFields: fieldsOfColumns(rules, row.edited_fields),
  };
}

/** Vulnerabilities that reports relate a threat to, or threats that they relate a vulnerability to. @throws Failure 404 */
export async function relatedTo({ trx, rules }: RecordContext, id: string): Promise<RelatedRecords> {
  await rules.find(trx, id);
  const { related, total } = await relatedRecords(trx, rules.table, id);
  return { related: related.map(({ id: _id, ...record }) => ({ _id, ...record })), total };
}

interface RevertRequest {
  id: string;
  fields: readonly string[] | undefined;
  caller: Caller;
  request: FastifyRequest;
}

/**
 * Reverts fields to what the reports say; without names, every field that a user changed and a report names.
 * @throws Failure 404; 412; 409 when no field differs or no report asserts the record
 */
export async function revertRecord(
  { trx, rules }: RecordContext,
  { id, fields, caller, request }: RevertRequest,
): Promise<FullRecord> {
  const { entity, table } = rules;
  const row = await lockRecord(trx, table, id);
  const before = await rules.find(trx, id);
  requireVersion(request, { version: before.row.version, changedBy: lastChanger(before) });
  const known = new Set(Object.keys(reportColumns[table]));
  const editable: Columns = editableColumns(entity.fields);
  const wanted = fields?.flatMap((field) => editable[field] ?? []);
  const named = wanted === undefined ? known : new Set(withCompanions(rules, wanted));
  const columns = row.edited_fields.filter((column) => known.has(column) && named.has(column));
  if (columns.length === 0)
    throw new Failure('conflict', 'All fields already have the values of the reports.');
  if (!(await revertToReports(trx, table, { id, columns, by: caller.accountId }))) {
    throw new Failure('conflict', 'No longer in any report.');
  }
  const record = await rules.find(trx, id);
  await recordActivity(trx, caller, {
    action: `${table}.reverted`,
    nounId: id,
    name: record.row.name,
    detail: {
      fields: fieldsOfColumns(rules, columns),
      changes: changesBetween(rules, before, record),
    },
  });
  return record;
}
