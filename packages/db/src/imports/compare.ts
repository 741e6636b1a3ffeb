import { importEntity } from '@riskboard/contract';
import { fixTooEarly } from '@riskboard/domain';
import { type RawBuilder, sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';
import { findRepeated, joinRows } from './joined-rows.ts';
import { type ImportRun, keyColumn, tableOf, valueAfter, writeColumns } from './write-columns.ts';
import { resolveRelations } from './relations.ts';

/** What happens to each action of a plan. */
export type PlannedAction = 'created' | 'updated' | 'unchanged' | 'failed';

/**
 * The project of each row: named by the file, or the one of the request. Of several projects of one name, the one that has the
 * only asset with the row's key.
 */
async function findProjects(trx: OrganizationTransaction, run: ImportRun): Promise<void> {
  if (run.noun !== 'assets') {
    await sql`
      create temporary table placed on commit drop as
      select _line as line, ${run.projectId}::uuid as project_id, null::text as problem from staged`.execute(
      trx,
    );
  } else {
    await sql`
      create temporary table placed on commit drop as
      with named as (
        select name, count(*)::int as n, array_agg(id) as ids from project
        where organization_id = current_organization() group by name
      ), having_key as (
        select s._line as line, (array_agg(r.project_id))[1] as project_id
        from staged s
        join named on named.name = s._project and named.n > 1
        join asset r on r.organization_id = current_organization() and r.project_id = any (named.ids)
          and ${sql.ref(`r.${keyColumn(run)}`)} = s._key
        where s._key <> '' group by 1 having count(*) = 1
      )
      select s._line as line,
        case
          when s._project is null then ${run.projectId}::uuid
          when named.n = 1 then named.ids[1]
          else coalesce(known.id, having_key.project_id) end as project_id,
        case
          when s._project is null or named.n = 1 or known.id is not null or having_key.project_id is not null then null
          when named.n > 1 then named.n || ' projects are named ' || s._project || '.'
          else 'No project is named ' || s._project || '.'
        end as problem
      from staged s
      left join named on named.name = s._project
      left join having_key on having_key.line = s._line
      left join project known on known.organization_id = current_organization() and known.id::text = lower(s._project)`.execute(
      trx,
    );
  }
  await sql`create unique index on placed (line)`.execute(trx);
  await sql`analyze placed`.execute(trx);
}

/** Names of assets are compared within a project; other keys in the organization. */
const isWithinProject = ({ noun, key }: ImportRun): boolean => noun === 'assets' && key === 'name';

/** The existing records of each row's key, and the first row of the file with that key. */
async function matchRows(trx: OrganizationTransaction, run: ImportRun): Promise<void> {
  const column = sql.ref(`r.${keyColumn(run)}`);
  const within = isWithinProject(run);
  const scope = within ? sql`placed.project_id` : sql`null::uuid`;
  const found = within ? sql`r.project_id` : sql`null::uuid`;
  await sql`
    create temporary table keyed on commit drop as
    select s._line as line, s._key as key, ${scope} as scope,
      min(s._line) over (partition by ${scope}, s._key) as first_line
    from staged s join placed on placed.line = s._line where s._key <> ''`.execute(trx);
  await sql`analyze keyed`.execute(trx);
  await sql`
    create temporary table matched on commit drop as
    select keyed.line, found.ids[1] as id, coalesce(cardinality(found.ids), 0) as n
    from keyed left join (
      select ${found} as scope, ${column} as key, array_agg(r.id) as ids from ${sql.table(tableOf(run))} r
      where r.organization_id = current_organization() and ${column} in (select key from keyed)
      group by 1, 2
    ) found on found.key = keyed.key and found.scope is not distinct from keyed.scope`.execute(trx);
  await sql`create unique index on matched (line)`.execute(trx);
  await sql`analyze matched`.execute(trx);
}

/** Names of the columns that an update changes. */
const changedColumns = (run: ImportRun): RawBuilder<unknown> => {
  const columns = [
    ...writeColumns(run),
    ...(run.fields.includes('projectId')
      ? [{ name: 'project_id', next: sql`coalesce(placed.project_id, r.project_id)` }]
      : []),
  ];
  const changed = columns.map(
    ({ name, next }) =>
      sql`case when ${sql.ref(`r.${name}`)} is distinct from ${next} then ${name}::text end`,
  );
  return changed.length === 0 ? sql`'{}'::text[]` : sql`array_remove(array[${sql.join(changed)}], null)`;
};

/** Whether a row sets a fix date before its discovery date; a pair of days that the record has already is kept. */
function isFixTooEarly(run: ImportRun): RawBuilder<boolean> {
  const columns = writeColumns(run).filter(({ name }) => name === 'discovery_date' || name === 'fix_date');
  if (columns.length === 0) return sql<boolean>`false`;
  const isChanged = columns.map(({ name, next }) => sql`${sql.ref(`r.${name}`)} is distinct from ${next}`);
  return sql<boolean>`(${valueAfter(run, 'fix_date')} < ${valueAfter(run, 'discovery_date')} and (r.id is null or ${sql.join(isChanged, sql` or `)}))`;
}

/**
 * Decides what becomes of each staged row, in the table `planned`: its record, its action, and the reasons of a failure: the
 * one that the report names with its field, and the others, which name their fields.
 * A key that several records have is a failure, and one of an earlier row of the file, unless both rows are one record.
 * @param isWhole the staged rows are the whole file: a name that neither they nor the records have does not exist
 */
export async function planRows(
  trx: OrganizationTransaction,
  run: ImportRun,
  { isWhole }: { isWhole: boolean },
): Promise<void> {
  const { many, fields } = importEntity(run.noun);
  const label = fields[run.key]?.label ?? run.key;
  await findProjects(trx, run);
  await matchRows(trx, run);
  const related = run.fields.includes('relatedAssets');
  const where = isWithinProject(run) ? ' in its project' : '';
  await findRepeated(trx, run, where);
  await sql`
    create temporary table planned on commit drop as
    select d.line, d.id, d.record_id, d.is_new, d.project_id, d.name, d.changed, d.relations,
      case
        when d.problem is not null then 'failed'
        when d.record_id is null then 'created'
        when cardinality(d.changed) > 0 or d.relations then 'updated'
        else 'unchanged' end as action,
      d.problem, d.others, d.field
    from (
      select s._line as line, coalesce(r.id, s._id) as id, r.id as record_id, found.none as is_new,
        ${run.noun === 'assets' ? sql`coalesce(placed.project_id, r.project_id)` : sql`placed.project_id`} as project_id,
        coalesce(nullif(s._name, ''), r.name, '') as name, found.changed, false as relations,
        coalesce(matching.problem, nullif(concat_ws(' ', cells.problem, cells.missing, cells.fix), '')) as problem,
        case when matching.problem is not null
          then nullif(concat_ws(' ', s._problem_label || cells.problem, cells.missing, cells.fix), '') end as others,
        case
          when matching.problem is not null then matching.field
          when cells.problem is not null then s._problem_field
          when cells.missing is not null then s._missing_field
          when cells.fix is not null then 'fixDate'
        end as field
      from staged s
      join placed on placed.line = s._line
      left join matched on matched.line = s._line
      left join repeated on repeated.line = s._line
      left join ${sql.table(tableOf(run))} r
        on r.organization_id = current_organization() and r.id = matched.id and matched.n = 1
      cross join lateral (
        -- Without the offset, PostgreSQL compares the columns again for each use of "changed".
        select coalesce(matched.n, 0) = 0 as none,
          case when r.id is null then '{}' else ${changedColumns(run)} end as changed
        offset 0
      ) found
      cross join lateral (
        select case
            when placed.problem is not null then placed.problem
            when s._key = '' then ${`The row has no ${label}, which finds existing ${many}.`}
            when repeated.problem is not null then repeated.problem
            when matched.n > 1 then matched.n || ${` ${many} have this ${label}${where}.`}
          end as problem,
          case when placed.problem is not null then 'projectId' else ${run.key} end as field
      ) matching
      cross join lateral (
        select
          case when not s._is_kept or r.id is null or cardinality(found.changed) > 0 then s._problem end as problem,
          case when found.none then s._missing end as missing,
          case when ${isFixTooEarly(run)} then ${fixTooEarly} end as fix
      ) cells
    ) d`.execute(trx);
  await sql`create unique index on planned (line)`.execute(trx);
  await sql`analyze planned`.execute(trx);
  if (related) await resolveRelations(trx, run, { isWhole });
  else await joinRows(trx, run, { related });
}

/** What becomes of a row. */
export interface PlannedRow {
  line: number;
  action: PlannedAction;
  name: string;
  /** The first one: of its project or key, if there is one. */
  problem: string | null;
  field: string | null;
  /** No record has its key: it creates one, unless it fails. */
  isNew: boolean;
}

/** The planned rows of a few staged ones, in the order of the file. */
export async function plannedRows(trx: OrganizationTransaction): Promise<PlannedRow[]> {
  const { rows } = await sql<PlannedRow>`
    select line, action, name, problem, field, is_new as "isNew" from planned order by line`.execute(trx);
  return rows;
}
