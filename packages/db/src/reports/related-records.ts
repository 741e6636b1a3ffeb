import { mostRelated, mostReportsOfRelation } from '@riskboard/contract';
import { sql } from 'kysely';
import type { RecordTableName } from './assertions.ts';
import { isIndexed } from './object-versions.ts';
import { joiningByHash } from '../query-plans.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

/** What one report says: the threat `type`s the vulnerability. */
export interface StatedRelation {
  /** Relationship type in the report, such as 'exploits'. */
  type: string;
  fileId: string;
  file: string;
}

/** A vulnerability that reports relate a threat to, or a threat that they relate a vulnerability to. */
export interface RelatedRecord {
  id: string;
  name: string;
  /** CVSS or severity of a vulnerability, risk level of a threat. */
  score: number | null;
  /** By type, newest report first; at most five of each type. */
  relations: StatedRelation[];
  /** Number of relations, of which `relations` has the first. */
  relationTotal: number;
}

/** The ends of a relation: its source is a threat, its target a vulnerability. */
const sides = {
  threat: { end: sql.ref('t.source_id'), otherEnd: sql.ref('t.target_id'), other: 'vulnerability' },
  vulnerability: { end: sql.ref('t.target_id'), otherEnd: sql.ref('t.source_id'), other: 'threat' },
} as const;

const scores = {
  threat: sql.ref('o.risk_level'),
  vulnerability: sql`coalesce(o.cvss_score, o.severity)`,
} as const;

/**
 * Objects of one report with one CVE are one row: the index has its first id, the others are compared. Objects that are
 * threats are never merged.
 */
const merged = sql`
  union
  select r.id, stated.type, stated.file_id from (
    select r.vulnerability_id as id, unnest(r.source_ids) as stix_id from report_record r
    where r.organization_id = current_organization() and r.vulnerability_id is not null and cardinality(r.source_ids) > 1
      and exists (select from stated)
    offset 0
  ) r join stated using (stix_id)`;

/**
 * Records that reports relate to this one, by name, and how many there are. Both ends of a relation may be in other reports
 * than the one that states it: they are found by the ids of the STIX objects that the records were extracted from. The newest
 * version of a relationship counts, in any report. The versions of one id, and the rows of an object at the other end, are
 * read once, however many reports repeat them.
 *
 * Each look-up by a key is a subquery with `offset 0`, which the planner runs for each key with an index. It expects too
 * many keys otherwise, and would read all rows of the organization once (decision 0020).
 */
export async function relatedRecords(
  trx: OrganizationTransaction,
  table: RecordTableName,
  id: string,
): Promise<{ related: RelatedRecord[]; total: number }> {
  const { end, otherEnd, other } = sides[table];
  const link = sql.ref(`r.${other}_id`);
  const query = sql<RelatedRecord & { total: number }>`
    with own as materialized (
      select distinct unnest(r.source_ids) as stix_id from report_record r
      where r.organization_id = current_organization() and r.${sql.ref(`${table}_id`)} = ${id}
    ), version as materialized (
      select t.* from own cross join lateral (
        select t.type, t.file_id, t.stix_id, t.modified, ${otherEnd} as other_id from report_relation t
        where t.organization_id = current_organization() and ${end} = own.stix_id and ${isIndexed(end)} and t.state = 'active'
        offset 0
      ) t
    ), newest as (
      select known.stix_id, other.* from (
        select distinct stix_id from version where ${isIndexed(sql.ref('stix_id'))}
      ) known cross join lateral (
        select max(modified) as modified, max(modified) filter (where state <> 'active') as withdrawn_at
        from report_relation other
        where other.organization_id = current_organization() and other.stix_id = known.stix_id
          and ${isIndexed(sql.ref('other.stix_id'))}
      ) other
    ), stated as materialized (
      select distinct version.type, version.file_id, version.other_id as stix_id
      from version left join newest using (stix_id)
      where coalesce(version.modified >= newest.modified, true) and coalesce(version.modified > newest.withdrawn_at, true)
    ), linked as materialized (
      select distinct r.id, known.stix_id from (select distinct stix_id from stated) known cross join lateral (
        select ${link} as id from report_record r
        where r.organization_id = current_organization() and r.stix_id = known.stix_id
          and ${link} is not null and ${isIndexed(sql.ref('r.stix_id'))}
        offset 0
      ) r
    ), found as (
      select linked.id, stated.type, stated.file_id from stated join linked using (stix_id)
      ${other === 'vulnerability' ? merged : sql``}
    ), relation as (
      select found.id, found.type, f.id as file_id, f.name as file,
        row_number() over (partition by found.id, found.type order by f.uploaded_at desc, f.id desc) as n
      from (select distinct id, type, file_id from found) found
      join report_file f on f.organization_id = current_organization() and f.id = found.file_id
    ), record as (
      select id, count(*)::int as total,
        jsonb_agg(jsonb_build_object('type', type, 'fileId', file_id, 'file', file) order by type, n)
          filter (where n <= ${sql.lit(mostReportsOfRelation)}) as relations
      from relation group by id
    )
    select o.id, o.name, o.score, record.relations, record.total as "relationTotal", (count(*) over ())::int as total
    from record cross join lateral (
      select o.id, o.name, ${scores[other]} as score from ${sql.table(other)} o
      where o.organization_id = current_organization() and o.id = record.id
      offset 0
    ) o
    order by o.name, o.id limit ${sql.lit(mostRelated)}`;
  const { rows } = await joiningByHash(trx, () => query.execute(trx));
  return {
    related: rows.map(({ total: _total, ...record }) => record),
    total: rows[0]?.total ?? 0,
  };
}
