import type { ProjectDeletion, ProjectMetrics, ProjectRisk } from '@riskboard/contract';
import {
  assetSource,
  type OrganizationTransaction,
  threatSource,
  vulnerabilitySource,
  whereOf,
} from '@riskboard/db';
import { assetRiskBands, riskBands, severityBands } from '@riskboard/domain';
import { type RawBuilder, sql } from 'kysely';
import { Failure } from '../lib/http/failure.ts';

/** Counts for the cards of the project dashboard (spec 2, Project dashboard). */
export async function projectMetrics(trx: OrganizationTransaction): Promise<ProjectMetrics> {
  const all = (table: string) =>
    sql`(select count(*)::int from ${sql.table(table)} where organization_id = current_organization())`;
  const { rows } = await sql<ProjectMetrics>`
    select count(*) filter (where status = 'active')::int as active,
      count(*) filter (where status = 'completed')::int as completed,
      count(*) filter (where status = 'on-hold')::int as "onHold",
      ${all('asset')} as assets, ${all('threat')} as threats, ${all('vulnerability')} as vulnerabilities
    from project where organization_id = current_organization()`.execute(trx);
  return onlyRow(rows);
}

/** The row of an aggregate without groups. @throws when it is missing, which would be a bug */
function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('An aggregate returned no row.');
  return row;
}

/** @throws Failure 404 */
export async function requireProject(trx: OrganizationTransaction, id: string): Promise<void> {
  const { rows } = await sql`
    select from project where organization_id = current_organization() and id = ${id}`.execute(trx);
  if (rows.length === 0) throw new Failure('not_found', 'Project not found.');
}

const countWhere = (condition: RawBuilder<unknown>) => sql`count(*) filter (where ${condition})::int`;

/** The counts as one JSON object, by name. */
const countsBy = (conditions: readonly (readonly [name: string, condition: RawBuilder<unknown>])[]) =>
  sql`json_build_object(${sql.join(conditions.flatMap(([name, condition]) => [sql.lit(name), countWhere(condition)]))})`;

/** Conditions of bands from `from` (included) to the next higher one; highest first. */
const bandsFrom = (column: string, bands: readonly { value: string; from: number }[]) =>
  bands.map(({ value, from }, n) => {
    const above = bands[n - 1]?.from;
    const lower = sql`${sql.ref(column)} >= ${sql.lit(from)}`;
    return [
      value,
      above === undefined ? lower : sql`${lower} and ${sql.ref(column)} < ${sql.lit(above)}`,
    ] as const;
  });

/** Conditions of bands above `above` (excluded) up to the next higher one; highest first. */
const bandsAbove = (column: string, bands: readonly { value: string; above: number }[]) =>
  bands.map(({ value, above }, n) => {
    const upTo = bands[n - 1]?.above;
    const lower = sql`${sql.ref(column)} > ${sql.lit(above)}`;
    return [
      value,
      upTo === undefined ? lower : sql`${lower} and ${sql.ref(column)} <= ${sql.lit(upTo)}`,
    ] as const;
  });

/** What is at risk in a project, each kind of record in one statement. @throws Failure 404 */
export async function projectRisk(trx: OrganizationTransaction, id: string): Promise<ProjectRisk> {
  await requireProject(trx, id);
  const health = (name: string) => [name, sql`r.health = ${name}`] as const;
  const { rows: assets } = await sql<ProjectRisk['assets']>`
    select count(*)::int as total,
      ${countsBy(['Healthy', 'Warning', 'Critical'].map(health))} as "byHealth",
      ${countsBy(bandsFrom('r.risk_score', assetRiskBands))} as "byScore"
    from ${sql.raw(assetSource.from)}
    where ${whereOf(assetSource, { projectId: [id] })}`.execute(trx);
  const related = (source: typeof threatSource | typeof vulnerabilitySource) =>
    sql`from ${sql.raw(source.from)} where ${whereOf(source, { projectId: id })}`;
  const isOpen = sql`r.status = 'open'`;
  const severities = bandsFrom('r.severity', severityBands).map(
    ([name, condition]) => [name, sql`${isOpen} and ${condition}`] as const,
  );
  const { rows: vulnerabilities } = await sql<ProjectRisk['vulnerabilities']>`
    select count(*)::int as total, ${countWhere(isOpen)} as open,
      ${countsBy([...severities, ['none', sql`${isOpen} and r.severity is null`]])} as "bySeverity"
    ${related(vulnerabilitySource)}`.execute(trx);
  const { rows: threats } = await sql<ProjectRisk['threats']>`
    select count(*)::int as total,
      ${countsBy([...bandsAbove('r.risk_level', riskBands), ['none', sql`r.risk_level is null`]])} as "byRisk"
    ${related(threatSource)}`.execute(trx);
  return { assets: onlyRow(assets), vulnerabilities: onlyRow(vulnerabilities), threats: onlyRow(threats) };
}

/** What goes with a project and what stays when it is deleted (contract, Deleting a project). @throws Failure 404 */
export async function projectDeletion(trx: OrganizationTransaction, id: string): Promise<ProjectDeletion> {
  await requireProject(trx, id);
  // Each kind of relation is read once: every related record with its number of relations.
  const related = (record: 'threat' | 'vulnerability') => sql`(
      select l.${sql.ref(`${record}_id`)}, count(*) as n from own
      join ${sql.table(`${record}_asset`)} l
        on l.organization_id = current_organization() and l.asset_id = own.id
      group by 1)`;
  const { rows } = await sql<ProjectDeletion>`
    with own as materialized (
      select id from asset where organization_id = current_organization() and project_id = ${id}
    ),
    threats as materialized (select count(*)::int as records, coalesce(sum(n), 0)::int as links from ${related('threat')} r),
    vulnerabilities as materialized (
      select count(*)::int as records, coalesce(sum(n), 0)::int as links from ${related('vulnerability')} r
    )
    select (select count(*)::int from own) as assets,
      (select count(*)::int from asset_relation
        where organization_id = current_organization()
          and (asset_id in (select id from own) or related_id in (select id from own))) as dependencies,
      threats.links + vulnerabilities.links as relations,
      threats.records as threats, vulnerabilities.records as vulnerabilities
    from threats cross join vulnerabilities`.execute(trx);
  return onlyRow(rows);
}
