import type { CwssFactor, CwssFactorOverride, CwssFacts, WeaknessFacts } from '@riskboard/domain';
import { weightUnit } from '@riskboard/domain';
import { sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';
import { type KnownWeaknesses, loadWeaknesses } from './weaknesses.ts';

/** What a score of one vulnerability is calculated from, before a vignette rates it. */
export interface LoadedFacts {
  id: string;
  name: string;
  /** `cwss_inputs` of the row: it grows with each change of the facts. Read before the facts. */
  revision: number;
  /** The vignette of its newest score. */
  vignetteId: string | null;
  facts: CwssFacts;
}

interface FactsRow {
  id: string;
  name: string;
  revision: number;
  vignetteId: string | null;
  cveId: string;
  cwe: string[];
  cvssVector: string;
  hasOverrides: boolean;
}

type AssetFacts = NonNullable<CwssFacts['asset']>;
type Overrides = Partial<Record<CwssFactor, CwssFactorOverride>>;

/**
 * Loads the facts of vulnerabilities, with the catalogue that the organization uses. Ids that do not exist are ignored.
 * A change that commits meanwhile may be among the facts, but never its revision without it.
 * Each row is looked up in the primary key: for a condition with all ids PostgreSQL may read every vulnerability of the
 * organization (decision 0020).
 * @param ids at most some thousands: all are in memory
 * @param known weaknesses that were loaded before; used when those of all vulnerabilities are among them
 * @returns rows in the order of the ids
 */
export async function loadFacts(
  trx: OrganizationTransaction,
  ids: readonly string[],
  known?: KnownWeaknesses,
): Promise<{ catalogueVersion: string; rows: LoadedFacts[] }> {
  const { rows } = await sql<FactsRow>`
    select v.id, v.name, v.cwss_inputs as revision, v.cwss_vignette_id as "vignetteId", v.cve_id as "cveId", v.cwe,
      v.cvss_vector as "cvssVector", v.cwss_overrides <> '{}' as "hasOverrides"
    from unnest(${ids}::uuid[]) own (id)
    cross join lateral (
      select * from vulnerability where organization_id = current_organization() and id = own.id offset 0
    ) v`.execute(trx);
  const texts = [...new Set(rows.flatMap(({ cwe }) => cwe))];
  const isKnown = known !== undefined && texts.every((text) => known.byText.has(text));
  const { catalogueVersion, byText } = isKnown ? known : await loadWeaknesses(trx, texts);
  const found = rows.map(({ id }) => id);
  const assets = await loadAssets(trx, found);
  const overrides = await loadOverrides(
    trx,
    rows.filter(({ hasOverrides }) => hasOverrides).map(({ id }) => id),
  );
  const byId = new Map(
    rows.map(({ id, name, revision, vignetteId, cveId, cwe, cvssVector }): [string, LoadedFacts] => [
      id,
      {
        id,
        name,
        revision,
        vignetteId,
        facts: {
          cveId,
          cvssVector,
          asset: assets.get(id) ?? null,
          overrides: overrides.get(id) ?? {},
          weaknesses: weaknessesOf(cwe, byText),
        },
      },
    ]),
  );
  return {
    catalogueVersion,
    rows: ids.flatMap((id) => {
      const row = byId.get(id);
      return row ? [row] : [];
    }),
  };
}

/** In the order of the vulnerability; a weakness that it names twice, as in CWE-79 and CWE-079, once. */
function weaknessesOf(cwe: readonly string[], byText: KnownWeaknesses['byText']): WeaknessFacts[] {
  const [only] = cwe;
  const first = only === undefined ? undefined : byText.get(only);
  if (first === undefined) return [];
  if (cwe.length === 1) return [first];
  const named = cwe.flatMap((text) => byText.get(text) ?? []);
  return [...new Map(named.map((weakness) => [weakness.cwe, weakness])).values()];
}

/** The most critical related asset of each vulnerability that has one, the oldest one of equals. */
async function loadAssets(
  trx: OrganizationTransaction,
  ids: readonly string[],
): Promise<Map<string, AssetFacts>> {
  const { rows } = await sql<AssetFacts & { vulnerabilityId: string }>`
    select own.id as "vulnerabilityId", most.id, most.name, most.criticality
    from unnest(${ids}::uuid[]) own (id)
    cross join lateral (
      select a.id, a.name, a.criticality
      from vulnerability_asset va
      join asset a on a.organization_id = va.organization_id and a.id = va.asset_id
      where va.organization_id = current_organization() and va.vulnerability_id = own.id and a.criticality is not null
      order by a.criticality desc, a.id
      limit 1
    ) most`.execute(trx);
  return new Map(rows.map(({ vulnerabilityId, ...asset }) => [vulnerabilityId, asset]));
}

interface OverrideRow {
  vulnerabilityId: string;
  factor: CwssFactor;
  code: string;
  weight: number;
  reason: string;
}

/** The factors that analysts set, by vulnerability. */
async function loadOverrides(
  trx: OrganizationTransaction,
  ids: readonly string[],
): Promise<Map<string, Overrides>> {
  const byId = new Map<string, Overrides>();
  if (ids.length === 0) return byId;
  const { rows } = await sql<OverrideRow>`
    select vulnerability_id as "vulnerabilityId", factor, code, weight, reason from cwss_override
    where organization_id = current_organization() and vulnerability_id = any (${ids}::uuid[])
    order by vulnerability_id, factor`.execute(trx);
  for (const { vulnerabilityId, factor, code, weight, reason } of rows) {
    const own = byId.get(vulnerabilityId) ?? {};
    own[factor] = { code, weight: Math.round(weight * weightUnit), reason };
    byId.set(vulnerabilityId, own);
  }
  return byId;
}
