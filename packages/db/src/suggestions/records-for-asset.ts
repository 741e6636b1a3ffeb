import type { RecordTexts, TermsOfAsset } from '@riskboard/domain';
import { type RawBuilder, sql } from 'kysely';
import { contains } from '../lists/source.ts';
import type { RecordTableName } from '../reports/assertions.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { hasAnyOf, isNewest, mostOfKind, patternOf, textLength } from './term-pattern.ts';

/** A vulnerability or threat that may concern an asset. */
export interface RecordCandidate extends RecordTexts {
  id: string;
  /** 0-10: CVSS or severity; of a threat its risk level, 0-100. */
  score: number | null;
  /** Name of an asset that this asset depends on and that the record is related to. */
  dependency: string | null;
}

interface Source {
  identifier: string;
  score: RawBuilder<number | null>;
  /** Records that are not suggested, of the row `r`. */
  isIgnored: RawBuilder<boolean>;
  like: string;
  /** Ids of records whose affected products have one of these patterns. */
  ofProducts(patterns: string[]): RawBuilder<{ id: string }>[];
  products: RawBuilder<string[]>;
}

/** One name of each product: a record lists each affected version. The expression is that of affected-products.ts. */
const distinctProducts = sql<string[]>`array(
  select distinct left(coalesce(substring(p from '^cpe:(?:2\\.3:|/)[aoh]:(?:\\\\.|[^\\\\:])*(?::(?:\\\\.|[^\\\\:])*)?'), p), 300)
  from jsonb_array_elements_text(case when jsonb_typeof(r.details->'affectedProducts') = 'array'
    then r.details->'affectedProducts' else '[]' end) p
  limit ${sql.lit(mostOfKind)})`;

const sources: Record<RecordTableName, Source> = {
  vulnerability: {
    identifier: 'cve_id',
    score: sql`coalesce(r.cvss_score, r.severity)`,
    isIgnored: sql`r.withdrawn is not null or not r.is_active or r.status = 'fixed'`,
    like: 'vulnerabilities_like',
    ofProducts: (patterns) => [
      sql`select id from vulnerabilities_of_products(${patterns}::text[], ${sql.lit(mostOfKind)}) id`,
    ],
    products: distinctProducts,
  },
  threat: {
    identifier: 'threat_id',
    score: sql`r.risk_level`,
    isIgnored: sql`r.withdrawn is not null or not r.is_active`,
    like: 'threats_like',
    ofProducts: () => [],
    products: sql`'{}'::text[]`,
  },
};

interface Wanted {
  table: RecordTableName;
  assetId: string;
  terms: TermsOfAsset;
}

/** Ids of records for each kind of reason; at most `mostOfKind` for each term. */
function candidatesOf({ table, terms }: Wanted): RawBuilder<{ id: string }>[] {
  const { like, ofProducts } = sources[table];
  const names = [...new Set([...terms.singles, ...terms.identifiers])].map(contains);
  const patterns = [...names, ...(terms.name.length > 0 ? [patternOf(terms.name)] : [])];
  const described = [...(terms.name.length > 0 ? [terms.name] : []), ...terms.singles.map((one) => [one])];
  return [
    ...(patterns.length > 0
      ? [
          sql<{ id: string }>`
            select found.id from unnest(${patterns}::text[]) pattern,
              lateral ${sql.ref(like)}(pattern, ${sql.lit(mostOfKind)}) found (id)`,
        ]
      : []),
    ...(terms.products.length > 0 ? ofProducts(terms.products.map(contains)) : []),
    ...(described.length > 0
      ? [
          sql<{ id: string }>`
            (select id from ${sql.table(table)} where ${isNewest(table)}
              and ${hasAnyOf(sql`description`, described)} limit ${sql.lit(mostOfKind)})`,
        ]
      : []),
    sql<{ id: string }>`select id from dependency`,
  ];
}

/**
 * Vulnerabilities or threats that may concern an asset and are not related to it: those that have one of its terms in
 * their name, identifier, affected products or description, and those that are related to an asset that it depends on.
 * Descriptions are read of the newest 50,000 records.
 */
export async function recordsForAsset(
  trx: OrganizationTransaction,
  wanted: Wanted,
): Promise<RecordCandidate[]> {
  const { table, assetId } = wanted;
  const { identifier, score, isIgnored, products } = sources[table];
  const link = sql.ref(`${table}_id`);
  const { rows } = await sql<RecordCandidate>`
    with dependency (id, name) as materialized (
      select l.${link}, min(child.name) from asset_relation t
      join ${sql.table(`${table}_asset`)} l on l.organization_id = t.organization_id and l.asset_id = t.related_id
      join asset child on child.organization_id = t.organization_id and child.id = t.related_id
      where t.organization_id = current_organization() and t.asset_id = ${assetId}
      group by l.${link} order by l.${link} limit ${sql.lit(mostOfKind)}
    ), candidate as materialized (${sql.join(candidatesOf(wanted), sql` union `)})
    select r.id, r.name, left(r.description, ${sql.lit(textLength)}) as description,
      ${sql.ref(`r.${identifier}`)} as identifier, ${score} as score, ${products} as "affectedProducts",
      (select name from dependency where dependency.id = r.id) as dependency
    from candidate join ${sql.table(table)} r on r.organization_id = current_organization() and r.id = candidate.id
    where not (${isIgnored}) and not exists (
      select from ${sql.table(`${table}_asset`)} l
      where l.organization_id = r.organization_id and l.${link} = r.id and l.asset_id = ${assetId})`.execute(
    trx,
  );
  return rows;
}
