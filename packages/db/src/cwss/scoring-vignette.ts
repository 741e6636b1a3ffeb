import type { ScorecardCell } from '@riskboard/domain';
import { sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';

/** A version of a vignette, to calculate scores with. */
export interface ScoringVignette {
  id: string;
  name: string;
  version: number;
  scorecard: readonly ScorecardCell[];
}

/** The newest versions of these vignettes; those that do not exist are left out. */
export async function loadScoringVignettes(
  trx: OrganizationTransaction,
  ids: readonly string[],
): Promise<ScoringVignette[]> {
  const { rows } = await sql<ScoringVignette>`
    select v.id, v.name, v.version, newest.content -> 'scorecard' as scorecard
    from vignette v
    join vignette_version newest
      on newest.organization_id = v.organization_id and newest.vignette_id = v.id and newest.version = v.version
    where v.organization_id = current_organization() and v.id = any (${ids}::uuid[])
    order by v.id`.execute(trx);
  return rows;
}
