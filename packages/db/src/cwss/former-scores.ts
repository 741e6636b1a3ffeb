import { sql } from 'kysely';
import type { OrganizationTransaction } from '../with-organization.ts';

/**
 * An extraction creates a vulnerability that is in the trash again under its id. Deletes the scores and factors of the
 * deleted one, so that the vulnerabilities which this transaction created begin without a score.
 */
export async function deleteFormerScores(trx: OrganizationTransaction): Promise<void> {
  await sql`
    with created as materialized (
      select v.id from deleted_record d
      join vulnerability v on v.organization_id = d.organization_id and v.id = d.id and v.created_at = now()
      where d.organization_id = current_organization() and d.noun = 'vulnerability'
    ), scores as (
      delete from cwss_score s using created
      where s.organization_id = current_organization() and s.vulnerability_id = created.id
    )
    delete from cwss_override o using created
    where o.organization_id = current_organization() and o.vulnerability_id = created.id`.execute(trx);
}
