import { importEntity } from '@riskboard/contract';
import { plural } from '@riskboard/domain';
import { sql } from 'kysely';
import { newId } from '../new-id.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { plainForms, settleNames } from './settle-names.ts';
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
  ['plain', 'jsonb'],
  ['problem', 'text'],
  ['problem_field', 'text'],
  // Precedes the problem where it is not the first one of its row.
  ['problem_label', 'text'],
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

/** Problems of one row that its report names; more are counted. */
const namedProblems = 5;

const labelOf = (run: ImportRun, field: string): string =>
  importEntity(run.noun).fields[field]?.label ?? field;

/** The problems of a row in one text. The first one is of the field that the report names; the others name theirs. */
function problemText(run: ImportRun, problems: ImportedRow['problems']): string | null {
  if (problems.length === 0) return null;
  const texts = problems.map(({ field, message }, at) =>
    at === 0 ? message : `${labelOf(run, field)}: ${message}`,
  );
  const more = texts.length - namedProblems;
  const rest = more > 0 ? [`And ${plural(more, 'more problem', 'more problems')}.`] : [];
  return [...texts.slice(0, namedProblems), ...rest].join(' ');
}

function stagedRow(run: ImportRun, row: ImportedRow) {
  const { line, key, name, project, related, values, missing } = row;
  const problems = row.problems.toSorted((a, b) => Number(a.isKept) - Number(b.isKept));
  const [problem] = problems;
  return {
    ...values,
    _line: line,
    _id: newId(),
    _key: key,
    _name: name,
    _project: project,
    _related: related,
    _plain: plainForms([key, project, ...(related ?? [])]),
    _problem: problemText(run, problems),
    _problem_field: problem?.field || null,
    _problem_label: problem?.field ? `${labelOf(run, problem.field)}: ` : '',
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
    select * from json_to_recordset(${JSON.stringify(rows.map((row) => stagedRow(run, row)))}::json) as row (${sql.raw(declaration(run))})`.execute(
    trx,
  );
}

/** Ends the staging with the names that rows are found by, and statistics: without them the planner expects a few rows. */
export async function closeStaging(trx: OrganizationTransaction, run: ImportRun): Promise<void> {
  await settleNames(trx, run);
  await sql`create unique index on staged (_line)`.execute(trx);
  await sql`analyze staged`.execute(trx);
}
