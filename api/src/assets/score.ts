import type { AssetScore } from '@riskboard/contract';
import type { OrganizationTransaction } from '@riskboard/db';
import {
  assetScoreContributions,
  assetScoreFormula,
  type AssetScoreInputs,
  type ScoreCause,
  type ScoredRecord,
} from '@riskboard/domain';
import { type RawBuilder, sql } from 'kysely';
import { Failure } from '../lib/http/failure.ts';

/** Threats, and vulnerabilities, that the explanation names. */
const mostNamed = 100;
/** Records of the history that a reply has; above it, one a day. */
const mostPoints = 400;
/** Records that are read to find the newest days: a bulk edit may change an asset many times a day. */
const mostRead = 5000;

type Explained = AssetScoreInputs & {
  score: number;
  threats: ScoredRecord[];
  vulnerabilities: ScoredRecord[];
};

/** The related records with the highest values. @param more further properties of a record */
const named = (
  table: 'threat' | 'vulnerability',
  { value, more = sql`'{}'::jsonb` }: { value: RawBuilder<unknown>; more?: RawBuilder<unknown> },
) => {
  const link = sql.ref(`l.${table}_id`);
  return sql`coalesce((
    select jsonb_agg(jsonb_build_object('_id', top.id, 'name', top.name, 'value', top.value) || top.more order by top.n)
    from (
      select r.id, r.name, ${value} as value, ${more} as more,
        row_number() over (order by ${value} desc nulls last, r.name, r.id) as n
      from ${sql.table(`${table}_asset`)} l
      join ${sql.table(table)} r on r.organization_id = l.organization_id and r.id = ${link}
      where l.organization_id = a.organization_id and l.asset_id = a.id
      order by n limit ${sql.lit(mostNamed)}
    ) top), '[]')`;
};

/** How the score of an asset comes about, and how it changed. @throws Failure 404 */
export async function explainScore(trx: OrganizationTransaction, id: string): Promise<AssetScore> {
  // One statement, so that the counts and the named records are of the same moment.
  const { rows } = await sql<Explained>`
    select a.risk_score as score, a.confidentiality_level as "confidentialityLevel",
      a.integrity_level as "integrityLevel", a.availability_level as "availabilityLevel", a.criticality,
      a.threat_count as "threatCount", a.vulnerability_count as "vulnerabilityCount",
      ${named('threat', { value: sql`r.risk_level` })} as threats,
      ${named('vulnerability', {
        value: sql`coalesce(r.cvss_score, r.severity)`,
        more: sql`jsonb_build_object('status', r.status)`,
      })} as vulnerabilities
    from asset a where a.organization_id = current_organization() and a.id = ${id}`.execute(trx);
  const [found] = rows;
  if (!found) throw new Failure('not_found', 'Asset not found.');
  const { score, threats, vulnerabilities, ...inputs } = found;
  const { points, thinned } = await historyOf(trx, id);
  return {
    score,
    formula: assetScoreFormula,
    inputs,
    contributions: assetScoreContributions(inputs, { threats, vulnerabilities }),
    history: points.map(({ at, ...point }) => ({ at: at.toISOString(), ...point })),
    historyIsThinned: thinned,
  };
}

interface Point {
  at: Date;
  score: number;
  cause: ScoreCause;
  threatCount: number;
  vulnerabilityCount: number;
  by: string;
}

/** Newest last. */
async function historyOf(
  trx: OrganizationTransaction,
  id: string,
): Promise<{ points: Point[]; thinned: boolean }> {
  const { rows } = await sql<Point & { total: number }>`
    with newest as materialized (
      select at, score, cause, threat_count, vulnerability_count, actor,
        row_number() over (partition by (at at time zone 'UTC')::date order by at desc) as nth, count(*) over () as total
      from (
        select * from asset_score where organization_id = current_organization() and asset_id = ${id}
        order by at desc limit ${mostRead}
      ) read
    )
    select at, score, cause, threat_count as "threatCount", vulnerability_count as "vulnerabilityCount",
      coalesce((select trim(c.first_name || ' ' || c.last_name) from account c where c.id = actor), '') as by,
      total::int as total
    from newest where nth = 1 or total <= ${mostPoints} order by at desc limit ${mostPoints}`.execute(trx);
  return {
    points: rows.map(({ total: _total, ...point }) => point).toReversed(),
    thinned: (rows[0]?.total ?? 0) > mostPoints,
  };
}
