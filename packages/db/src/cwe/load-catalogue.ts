import { bundledVersion, readBundled } from '@riskboard/cwe';
import { sql, type Kysely, type Transaction } from 'kysely';
import { databaseRoles } from '../connection/roles.ts';
import { storeCatalogue } from './store-catalogue.ts';

const isLoaded = async (db: Kysely<unknown>, version: string): Promise<boolean> => {
  const { rows } = await sql<{ loaded: boolean }>`
    select exists (
      select from cwe_catalogue where version = ${version} and organization_id is null
        and bundled_at = (select max(bundled_at) from cwe_catalogue)
    ) as loaded`.execute(db);
  return rows[0]?.loaded === true;
};

/**
 * Makes the bundled version the standard. Organizations that used the former standard keep it: their scores do not
 * change with an update of Riskboard.
 */
async function makeStandard(trx: Transaction<unknown>, version: string): Promise<void> {
  await sql`
    update organization set cwe_catalogue_id = former.id
    from (select id from cwe_catalogue where bundled_at is not null order by bundled_at desc limit 1) former
    where organization.cwe_catalogue_id is null`.execute(trx);
  await sql`
    update cwe_catalogue set bundled_at = clock_timestamp()
    where organization_id is null and version = ${version}`.execute(trx);
}

/**
 * Stores MITRE's catalogue that comes with Riskboard, once per version, in one transaction. Several processes may call
 * it at once: they wait for the first one. Entries of other versions never change.
 */
export async function loadCatalogue(db: Kysely<unknown>): Promise<void> {
  const version = await bundledVersion();
  await db.transaction().execute(async (trx) => {
    // Row-level security applies to the owner of the tables too.
    await sql`set local role ${sql.id(databaseRoles.system)}`.execute(trx);
    if (await isLoaded(trx, version)) return;
    const content = await readBundled();
    await storeCatalogue(trx, version, { origin: 'bundled', organizationId: null, content });
    // Another process that stored it meanwhile has also made it the standard.
    if (!(await isLoaded(trx, version))) await makeStandard(trx, version);
  });
}
