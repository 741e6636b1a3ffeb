import type { AssetTexts, TermsOfRecord } from '@riskboard/domain';
import { sql } from 'kysely';
import type { RecordTableName } from '../reports/assertions.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { hasAnyOf, isNewest, mostOfKind, patternOf, textLength } from './term-pattern.ts';

/** An asset that a vulnerability or threat may concern. */
export interface AssetCandidate extends AssetTexts {
  id: string;
  projectName: string;
  /** Name of an asset that this one depends on and that the record is related to. */
  dependency: string | null;
}

interface Wanted {
  table: RecordTableName;
  id: string;
  terms: TermsOfRecord;
}

/**
 * Active assets that a vulnerability or threat may concern and that are not related to it: those that have one of its
 * terms in a text, those with a token of its texts in their name, and those that depend on a related asset. Names are
 * searched by index for the affected products and the record's name; descriptions, and names for the tokens of its
 * description, are read of the newest 50,000 assets.
 */
export async function assetsForRecord(
  trx: OrganizationTransaction,
  { table, id, terms }: Wanted,
): Promise<AssetCandidate[]> {
  const link = sql.ref(`${table}_id`);
  const most = sql.lit(mostOfKind);
  const patterns = [...terms.affected, ...terms.names.map((token) => [token])].map(patternOf);
  const tokens = terms.tokens.map((token) => [token]);
  const { rows } = await sql<AssetCandidate>`
    with own as materialized (
      select asset_id from ${sql.table(`${table}_asset`)} where organization_id = current_organization() and ${link} = ${id}
    ), dependency (id, name) as materialized (
      select t.asset_id, min(child.name) from own
      join asset_relation t on t.organization_id = current_organization() and t.related_id = own.asset_id
      join asset child on child.organization_id = current_organization() and child.id = own.asset_id
      group by t.asset_id order by t.asset_id limit ${most}
    ), candidate as materialized (
      select found.id from unnest(${patterns}::text[]) pattern, lateral assets_like(pattern, ${most}) found (id)
      union (select id from asset where ${isNewest('asset')} and ${hasAnyOf(sql`name`, tokens)} limit ${most})
      union (select id from asset where ${isNewest('asset')}
        and ${hasAnyOf(sql`(description || ' ' || reference)`, terms.affected)} limit ${most})
      union select id from dependency
    )
    select r.id, r.name, left(r.description, ${sql.lit(textLength)}) as description, r.reference,
      (select p.name from project p where p.organization_id = r.organization_id and p.id = r.project_id) as "projectName",
      (select name from dependency where dependency.id = r.id) as dependency
    from candidate join asset r on r.organization_id = current_organization() and r.id = candidate.id
    where r.is_active and not exists (select from own where own.asset_id = r.id)`.execute(trx);
  return rows;
}
