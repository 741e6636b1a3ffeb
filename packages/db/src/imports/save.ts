import { idsShown, type ImportCounts } from '@riskboard/contract';
import { type RawBuilder, sql } from 'kysely';
import { ChangeCount } from '../changes.ts';
import { relatedAssetsField } from '../records/update-many.ts';
import { setScoreContext } from '../records/score-context.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { linkOf } from './relations.ts';
import { countRelated, relatedCounts, relatesVulnerabilities, writeRelations } from './write-relations.ts';
import { digestOf, type ImportRun, tableOf, type WriteColumn, writeColumns } from './write-columns.ts';

/** Rows per statement: few enough to report progress and to stop, many enough to be efficient. */
const sliceSize = 10_000;

/** The planned rows that are written together: lines after one and up to another. */
interface Slice {
  after: number;
  upTo: number;
  size: number;
}

async function slicesOf(trx: OrganizationTransaction): Promise<Slice[]> {
  const { rows } = await sql<{ upTo: number; size: number }>`
    select max(line) as "upTo", count(*)::int as size from (
      select line, (row_number() over (order by line) - 1) / ${sliceSize}::int as slice from planned
    ) r group by slice order by slice`.execute(trx);
  return rows.map((row, n) => ({ ...row, after: rows[n - 1]?.upTo ?? 0 }));
}

/** How many rows have each action. */
export async function countPlanned(trx: OrganizationTransaction): Promise<ImportCounts> {
  const { rows } = await sql<ImportCounts>`
    select count(*)::int as rows, count(*) filter (where action = 'created')::int as created,
      count(*) filter (where action = 'updated')::int as updated,
      count(*) filter (where action = 'unchanged')::int as unchanged,
      count(*) filter (where action = 'failed')::int as failed
    from planned`.execute(trx);
  return rows[0] ?? { rows: 0, created: 0, updated: 0, unchanged: 0, failed: 0 };
}

const within = ({ after, upTo }: Slice): RawBuilder<boolean> =>
  sql<boolean>`p.line > ${after} and p.line <= ${upTo}`;

/** The staged rows of a slice, as a condition of their own: without it, the planner reads all of them for each slice. */
const stagedWithin = ({ after, upTo }: Slice): RawBuilder<boolean> =>
  sql<boolean>`s._line > ${after} and s._line <= ${upTo}`;

/** Columns that an update writes: those of the file, and the project where a column names it. */
const updatedColumns = (run: ImportRun): Pick<WriteColumn, 'name' | 'next'>[] => [
  ...writeColumns(run),
  ...(run.fields.includes('projectId') ? [{ name: 'project_id', next: sql`p.project_id` }] : []),
];

/** The columns that belong together as edited fields: a person who changes one owns all. */
const cvssGroup = ['cvss_vector', 'cvss_score', 'cvss_version'] as const;

interface ReportSlice {
  run: ImportRun;
  importId: string;
  slice: Slice;
  by: string | null;
}

const problem = sql`nullif(concat_ws(' ', p.problem, p.others), '')`;

/** The assets that created records are related to, also none: an undo keeps a record that was related to others since. */
function relatedOfCreated({ fields }: ImportRun): RawBuilder<unknown> {
  const written = fields.includes('relatedAssets')
    ? sql`array(select distinct target from resolved where resolved.line = p.line)`
    : sql`'{}'::uuid[]`;
  return sql`case when p.action = 'created' then ${written} end`;
}

/** Columns of created records beside those of the file. */
function createdColumns(run: ImportRun): readonly Pick<WriteColumn, 'name' | 'created'>[] {
  if (run.noun === 'assets') return [{ name: 'project_id', created: sql`p.project_id` }];
  return relatesVulnerabilities(run) ? relatedCounts : [];
}

/** The records of a slice that do not exist yet; returns ids and digests. */
function createRecords({ run, by, slice }: Omit<ReportSlice, 'importId'>): RawBuilder<unknown> {
  const table = sql.table(tableOf(run));
  const columns = [...writeColumns(run), ...createdColumns(run)];
  return sql`
    insert into ${table} as saved (organization_id, id, created_by, updated_by,
      ${sql.join(columns.map(({ name }) => sql.ref(name)))})
    select current_organization(), p.id, ${by}::uuid, ${by}::uuid, ${sql.join(columns.map(({ created }) => created))}
    from planned p join staged s on s._line = p.line
    ${relatesVulnerabilities(run) ? sql`left join related_count on related_count.line = p.line` : sql``}
    where ${within(slice)} and ${stagedWithin(slice)} and p.action = 'created' order by p.line
    returning saved.id, ${digestOf(run.noun, 'saved')} as digest`;
}

/** The report of a dry run. */
const writePlan = (
  trx: OrganizationTransaction,
  { importId, slice }: Pick<ReportSlice, 'importId' | 'slice'>,
): Promise<unknown> =>
  sql`
    insert into csv_import_row (organization_id, import_id, line, action, record_id, name, field, problem)
    select current_organization(), ${importId}, p.line, p.action, p.record_id, p.name, p.field, ${problem}
    from planned p where ${within(slice)}`.execute(trx);

/** Creates the records of a slice, and reports all its rows but those of updated records. */
const writeCreated = (
  trx: OrganizationTransaction,
  { run, importId, slice, by }: ReportSlice,
): Promise<unknown> =>
  sql`
    with saved as (${createRecords({ run, slice, by })})
    insert into csv_import_row (organization_id, import_id, line, action, record_id, name, field, problem, written,
      written_related)
    select current_organization(), ${importId}, p.line, p.action, case when p.action <> 'failed' then p.id end, p.name,
      p.field, ${problem}, case when p.action = 'created' then jsonb_build_object('digest', saved.digest) end,
      ${relatedOfCreated(run)}
    from planned p left join saved on saved.id = p.id
    where ${within(slice)} and p.action <> 'updated'`.execute(trx);

/** The updated rows with what an undo needs; before the records are written. */
async function writeUpdates(
  trx: OrganizationTransaction,
  { run, importId, slice }: ReportSlice,
): Promise<void> {
  const { table, owner, asset } = linkOf(run);
  const next = sql`jsonb_build_object(${sql.join(
    updatedColumns(run).flatMap(({ name, next: value }) => [sql.lit(name), value]),
  )})`;
  const edited = run.noun === 'vulnerabilities' ? sql`array['edited_fields']` : sql`'{}'::text[]`;
  const related = run.fields.includes('relatedAssets')
    ? sql`
      case when p.relations then array(
        select l.${asset} from ${table} l where l.organization_id = current_organization() and l.${owner} = p.id) end,
      case when p.relations then array(select distinct target from resolved where resolved.line = p.line) end`
    : sql`null::uuid[], null::uuid[]`;
  await sql`
    insert into csv_import_row (organization_id, import_id, line, action, record_id, name, former, written, former_related,
      written_related)
    select current_organization(), ${importId}, p.line, p.action, p.id, p.name,
      (select coalesce(jsonb_object_agg(name, now.value -> name), '{}')
        from (select to_jsonb(r) as value) now, unnest(p.changed || ${edited}) name),
      (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(${next}) where key = any (p.changed)),
      ${related}
    from planned p
    join staged s on s._line = p.line
    join ${sql.table(tableOf(run))} r on r.organization_id = current_organization() and r.id = p.record_id
    where ${within(slice)} and ${stagedWithin(slice)} and p.action = 'updated'`.execute(trx);
}

/**
 * On a record that reports bring, the changed columns count as edited: no extraction overwrites them. A severity that follows
 * the score does not (contract, Severity).
 */
function editedFields(run: ImportRun): RawBuilder<unknown> {
  const next = (column: string) =>
    writeColumns(run).find(({ name }) => name === column)?.next ?? sql.ref(`r.${column}`);
  const follows = sql`name = 'severity' and not name = any (r.edited_fields)
    and ${next('severity')} is not distinct from ${next('cvss_score')}`;
  return sql`
  edited_fields = case when r.key is null then r.edited_fields else array(
    select unnest(r.edited_fields) union select name from unnest(p.changed) name where not (${follows})
    union select unnest(${sql.lit(`{${cvssGroup.join(',')}}`)}::text[]) where p.changed && ${sql.lit(`{${cvssGroup.join(',')}}`)}::text[]
    union select ${relatedAssetsField} where p.relations order by 1) end,`;
}

async function updateRecords(
  trx: OrganizationTransaction,
  { run, by, slice }: Omit<ReportSlice, 'importId'>,
): Promise<void> {
  const sets = updatedColumns(run).map(({ name, next }) => sql`${sql.ref(name)} = ${next},`);
  await sql`
    update ${sql.table(tableOf(run))} r set ${sql.join(sets, sql` `)}
      ${run.noun === 'vulnerabilities' ? editedFields(run) : sql``}
      version = r.version + 1, updated_at = now(), updated_by = ${by}::uuid
    from planned p join staged s on s._line = p.line
    where r.organization_id = current_organization() and r.id = p.record_id and p.action = 'updated'
      and ${within(slice)} and ${stagedWithin(slice)}`.execute(trx);
}

interface Save {
  run: ImportRun;
  importId: string;
  by: string | null;
  /** Only the report is written. */
  isDry: boolean;
  /** Called with the number of rows so far; throwing aborts. */
  onRows: (done: number) => void;
}

export interface SavedRows {
  created: ChangeCount;
  updated: ChangeCount;
  /** Assets that got or lost a relation. */
  related: ChangeCount;
}

/** Writes the planned rows and their report, which replaces an earlier one. */
export async function saveRows(
  trx: OrganizationTransaction,
  { run, importId, by, isDry, onRows }: Save,
): Promise<SavedRows> {
  await trx.deleteFrom('csv_import_row').where('import_id', '=', importId).execute();
  if (!isDry) await setScoreContext(trx, { cause: 'imported', by });
  if (!isDry && relatesVulnerabilities(run)) await countRelated(trx);
  let done = 0;
  for (const slice of await slicesOf(trx)) {
    onRows(done);
    if (isDry) await writePlan(trx, { importId, slice });
    else {
      await writeCreated(trx, { run, importId, slice, by });
      await writeUpdates(trx, { run, importId, slice, by });
      await updateRecords(trx, { run, by, slice });
    }
    done += slice.size;
    onRows(done);
  }
  const isRelating = !isDry && run.fields.includes('relatedAssets');
  const related = isRelating ? await writeRelations(trx, run) : new ChangeCount();
  return { created: await changedBy(trx, 'created'), updated: await changedBy(trx, 'updated'), related };
}

async function changedBy(trx: OrganizationTransaction, action: string): Promise<ChangeCount> {
  const changed = new ChangeCount();
  const { rows } = await sql<{ ids: string[]; n: number }>`
    select count(*)::int as n, array(select id from planned where action = ${action} order by line limit ${idsShown}) as ids
    from planned where action = ${action}`.execute(trx);
  for (const { ids, n } of rows) changed.add(ids, n);
  return changed;
}
