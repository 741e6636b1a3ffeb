import { type Cwe, mostCarried } from '@riskboard/contract';
import { type CweData, type CweEntry, type CweRelation, cweNotice } from '@riskboard/cwe';
import { technicalImpactOf } from '@riskboard/domain';
import { sql } from 'kysely';
import type { Database } from '../connection/client.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { weaknessFacts } from './weakness-facts.ts';

interface FoundEntry {
  kind: CweEntry['kind'];
  name: string;
  data: Omit<CweData, 'Name'>;
  source: string;
  notice: string;
}

async function findEntry(trx: OrganizationTransaction, id: number): Promise<FoundEntry | undefined> {
  const row = await trx
    .selectFrom('cwe_entry')
    .innerJoin('cwe_catalogue', 'cwe_catalogue.id', 'cwe_entry.catalogue_id')
    .select([
      'cwe_entry.kind',
      'cwe_entry.name',
      'cwe_entry.data',
      'cwe_catalogue.version',
      'cwe_catalogue.notice',
    ])
    .where('cwe_entry.catalogue_id', '=', sql<string>`current_catalogue()`)
    .where('cwe_entry.id', '=', id)
    .executeTakeFirst();
  if (row !== undefined) return { ...row, source: `CWE ${row.version}` };
  const single = await trx.selectFrom('cwe_lookup').selectAll().where('id', '=', id).executeTakeFirst();
  if (single === undefined) return undefined;
  return { ...single, kind: 'weakness', source: 'CWE REST API', notice: cweNotice(null) };
}

const technicalImpacts = (impacts: readonly string[]): string[] => [
  ...new Set(impacts.flatMap((one) => technicalImpactOf(one)?.impact ?? [])),
];

const carriers = 5;

/** How many vulnerabilities carry the weakness, and the most severe ones. Searches outside of row-level security: 0013. */
async function vulnerabilitiesOf(trx: OrganizationTransaction, id: number): Promise<Cwe['vulnerabilities']> {
  const { rows } = await sql<{
    total: number;
    items: { _id: string; name: string; severity: number | null }[];
  }>`
    with carried as materialized (
      select id from vulnerabilities_of_weakness(${`CWE-${id}`}, ${mostCarried + 1}) id
    ), shown as (
      select v.id, v.name, v.severity from vulnerability v
      where v.organization_id = current_organization() and v.id in (select id from carried)
      order by v.severity desc nulls last, v.id desc limit ${carriers}
    )
    select (select count(*) from carried)::int as total, coalesce((
      select jsonb_agg(jsonb_build_object('_id', id, 'name', name, 'severity', severity)
        order by severity desc nulls last, id desc)
      from shown), '[]') as items`.execute(trx);
  const total = rows[0]?.total ?? 0;
  return {
    total: Math.min(total, mostCarried),
    totalIsCapped: total > mostCarried,
    items: rows[0]?.items ?? [],
  };
}

async function namesOf(trx: OrganizationTransaction, ids: readonly number[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await trx
    .selectFrom('cwe_entry')
    .select(['id', 'name'])
    .where('catalogue_id', '=', sql<string>`current_catalogue()`)
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, name }) => [String(id), name]));
}

/** Each relation once, with the views that it belongs to. */
function relationsOf(
  relations: readonly CweRelation[],
  names: ReadonlyMap<string, string>,
): Cwe['Weaknesses'] {
  const all = Map.groupBy(relations, ({ ID, Nature }) => `${Nature} ${ID}`);
  return [...all.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const { ID, Nature } = first;
    const views = [...new Set(same.map(({ View }) => View).filter(Boolean))];
    return [
      { ID, Name: names.get(ID) ?? '', Nature, Views: views.toSorted((a, b) => Number(a) - Number(b)) },
    ];
  });
}

/**
 * An entry by its number: of the catalogue that the current organization uses, else one that was fetched from the CWE
 * REST API. Undefined when neither has it.
 */
export async function findCwe(trx: OrganizationTransaction, id: number): Promise<Cwe | undefined> {
  const found = await findEntry(trx, id);
  if (found === undefined) return undefined;
  const { kind, name, source, notice } = found;
  const { Weaknesses, Mapping, Consequences, ...data } = found.data;
  const names = await namesOf(
    trx,
    Weaknesses.map(({ ID }) => Number(ID)),
  );
  const related = relationsOf(Weaknesses, names);
  const withNature = (nature: string) =>
    related.filter(({ Nature }) => Nature === nature).map(({ Nature: _nature, ...one }) => one);
  const { catalogueVersion, weaknesses } = await weaknessFacts(trx, [id]);
  const facts = weaknesses.get(id);
  return {
    ID: String(id),
    Name: name,
    kind,
    ...data,
    url: `https://cwe.mitre.org/data/definitions/${id}.html`,
    Weaknesses: related.filter(({ Nature }) => Nature !== 'MemberOf'),
    Parents: withNature('ChildOf'),
    Children: withNature('ParentOf'),
    Members: withNature('HasMember'),
    MemberOf: withNature('MemberOf'),
    Consequences: Consequences.map((one) => ({ ...one, TechnicalImpacts: technicalImpacts(one.Impact) })),
    MappingNotes: Mapping,
    technicalImpacts: technicalImpacts(facts?.impacts ?? []),
    inheritedFrom: facts?.inheritedFrom ? String(facts.inheritedFrom) : null,
    note: facts?.note ?? '',
    catalogueVersion,
    source,
    notice,
    vulnerabilities: await vulnerabilitiesOf(trx, id),
  };
}

/** Stores an entry of the CWE REST API, for every organization whose catalogue lacks it. */
export async function keepCwe(database: Database, { id, data: { Name, ...data } }: CweEntry): Promise<void> {
  await database.system
    .insertInto('cwe_lookup')
    .values({ id, name: Name, data: JSON.stringify(data) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}
