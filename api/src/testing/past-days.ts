import { newId, type OrganizationTransaction, withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import type { TestApi } from './start-api.ts';

interface InOrganization {
  api: TestApi;
  organizationId: string;
}

/** The UTC day of now, or of some days before. */
export const daysAgo = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** Changes records as if it were an earlier UTC day: the ledger has the changes on that day. */
export const onDay = (
  { api, organizationId }: InOrganization,
  day: string,
  work: (trx: OrganizationTransaction) => Promise<unknown>,
): Promise<void> =>
  withOrganization(api.database, organizationId, async (trx) => {
    const { rows } = await sql<{ last: string }>`
      select coalesce(max(id), 0) as last from overview_entry where organization_id = current_organization()`.execute(
      trx,
    );
    await work(trx);
    await sql`
      with today as (
        delete from overview_entry
        where organization_id = current_organization() and id > ${rows[0]?.last ?? 0} returning *
      )
      insert into overview_entry (organization_id, day, measure, bucket, cause, count, sum)
      select organization_id, ${day}::date, measure, bucket, cause, count, sum from today`.execute(trx);
  });

/** Inserts a vulnerability that was created on a UTC day. */
export async function insertVulnerability(
  trx: OrganizationTransaction,
  {
    day,
    ...values
  }: { day: string; severity?: number | null; status?: 'open' | 'fixed'; category_id?: number },
): Promise<string> {
  const id = newId();
  await trx
    .insertInto('vulnerability')
    .values({
      organization_id: sql<string>`current_organization()`,
      id,
      name: 'Weak cipher',
      created_at: new Date(`${day}T12:00:00Z`),
      ...values,
    })
    .execute();
  return id;
}
