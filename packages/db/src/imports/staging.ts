import { sql } from 'kysely';
import { newId } from '../new-id.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { type ImportRun, writeColumns } from './write-columns.ts';

/** A row of a file, as packages/csv reads it. */
export interface ImportedRow {
  line: number;
  key: string;
  name: string;
  project: string | null;
  related: string[] | null;
  values: Readonly<Record<string, unknown>>;
  problems: readonly { field: string; message: string; isKept: boolean }[];
  missing: { field: string; message: string } | null;
}

const fixed = [
  ['line', 'integer'],
  ['id', 'uuid'],
  ['key', 'text'],
  ['name', 'text'],
  ['project', 'text'],
  ['related', 'text[]'],
  ['problem', 'text'],
  ['problem_field', 'text'],
  // The problem does not matter for a record that has the value already.
  ['is_kept', 'boolean'],
  ['missing', 'text'],
  ['missing_field', 'text'],
] as const;

/** Columns of the staged rows that are not columns of the entity's table have names with a leading underscore. */
const declaration = (run: ImportRun): string =>
  [
    ...fixed.map(([name, type]) => `_${name} ${type}`),
    ...writeColumns(run).map(({ name, type }) => `"${name}" ${type}`),
  ].join(', ');

/** Creates the temporary table of this transaction's import. */
export async function openStaging(trx: OrganizationTransaction, run: ImportRun): Promise<void> {
  await sql`create temporary table staged (${sql.raw(declaration(run))}) on commit drop`.execute(trx);
}

function stagedRow({ line, key, name, project, related, values, problems, missing }: ImportedRow) {
  const problem = problems.find(({ isKept }) => !isKept) ?? problems[0];
  return {
    ...values,
    _line: line,
    _id: newId(),
    _key: key,
    _name: name,
    _project: project,
    _related: related,
    _problem: problem?.message ?? null,
    _problem_field: problem?.field || null,
    _is_kept: problem?.isKept ?? null,
    _missing: missing?.message ?? null,
    _missing_field: missing?.field ?? null,
  };
}

/** Adds rows of the file: as JSON, which PostgreSQL reads with the types of the table's columns. */
export async function stageRows(
  trx: OrganizationTransaction,
  run: ImportRun,
  rows: readonly ImportedRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into staged
    select * from json_to_recordset(${JSON.stringify(rows.map(stagedRow))}::json) as row (${sql.raw(declaration(run))})`.execute(
    trx,
  );
}

/** Statistics of the staged rows: without them the planner expects a few. */
export async function closeStaging(trx: OrganizationTransaction): Promise<void> {
  await sql`create unique index on staged (_line)`.execute(trx);
  await sql`analyze staged`.execute(trx);
}
