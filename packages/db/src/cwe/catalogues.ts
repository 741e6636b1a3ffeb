import { type CatalogueVersion, mostUploads } from '@riskboard/contract';
import type { CatalogueContent } from '@riskboard/cwe';
import { sql } from 'kysely';
import type { ChangedRows } from '../changes.ts';
import type { Database } from '../connection/client.ts';
import { markStale } from '../cwss/mark-stale.ts';
import type { OrganizationTransaction } from '../with-organization.ts';
import { storeCatalogue } from './store-catalogue.ts';

export interface StoredCatalogue extends CatalogueVersion {
  id: string;
  notice: string;
  inUse: boolean;
}

/** By the numbers of the version: 4.9 comes before 4.15. */
const byContent = (a: StoredCatalogue, b: StoredCatalogue): number =>
  a.contentVersion.localeCompare(b.contentVersion, 'en', { numeric: true });

/** Every catalogue that the current organization can use, the newest content first. */
export async function catalogues(trx: OrganizationTransaction): Promise<StoredCatalogue[]> {
  const rows = await trx
    .selectFrom('cwe_catalogue')
    .select([
      'id',
      'version',
      'content_version as contentVersion',
      'content_date as releasedOn',
      'origin',
      'file_name as fileName',
      'weaknesses',
      'categories',
      'views',
      'notice',
      'created_at',
      sql<boolean>`id = current_catalogue()`.as('inUse'),
    ])
    .orderBy('created_at', 'desc')
    .execute();
  return rows
    .map(({ created_at: at, ...row }) => ({ ...row, storedAt: at.toISOString() }))
    .toSorted((a, b) => byContent(b, a));
}

/**
 * Makes the current organization use a catalogue that it can see; its scores of another one become stale. The caller
 * holds the lock of the organization.
 * @returns the version before and the vulnerabilities with stale scores; undefined when it used this one before
 */
export async function setCatalogue(
  trx: OrganizationTransaction,
  id: string,
): Promise<{ previousVersion: string; stale: ChangedRows } | undefined> {
  const all = await catalogues(trx);
  const before = all.find(({ inUse }) => inUse);
  if (before?.id === id) return undefined;
  if (!all.some((one) => one.id === id)) throw new Error('The organization does not see this catalogue');
  await trx
    .updateTable('organization')
    .set({ cwe_catalogue_id: id })
    .where('organization_id', '=', sql<string>`current_organization()`)
    .execute();
  return { previousVersion: before?.version ?? '', stale: await markStale(trx, { reason: 'catalogue' }) };
}

/**
 * Stores a catalogue of MITRE's API for all organizations, unless its version is stored already.
 * @returns its id
 */
export async function storeShared(database: Database, content: CatalogueContent): Promise<string> {
  return database.system.transaction().execute(async (system) => {
    const stored = await storeCatalogue(system, content.version, {
      origin: 'api',
      organizationId: null,
      content,
    });
    if (stored !== undefined) return stored;
    const { id } = await system
      .selectFrom('cwe_catalogue')
      .select('id')
      .where('organization_id', 'is', null)
      .where('version', '=', content.version)
      .executeTakeFirstOrThrow();
    return id;
  });
}

interface Upload {
  organizationId: string;
  createdBy: string;
  fileName: string;
  fileHash: string;
  content: CatalogueContent;
}

const uploadNumber = (version: string): number => Number(/\(upload (\d+)\)$/u.exec(version)?.[1] ?? 0);

/**
 * Stores an uploaded catalogue of the current organization under a version name of its own. Uploads of all contents are
 * numbered together: scores name the version of a deleted one, whose number is lower than that of the newest, which is kept.
 * The caller holds the lock of the organization.
 * @returns its id; a file that was uploaded before is not stored again
 */
export async function storeUploaded(trx: OrganizationTransaction, upload: Upload): Promise<string> {
  const own = await trx
    .selectFrom('cwe_catalogue')
    .select(['id', 'version', 'file_sha256'])
    .where('organization_id', '=', upload.organizationId)
    .execute();
  const same = own.find(({ file_sha256: hash }) => hash === upload.fileHash);
  if (same !== undefined) return same.id;
  const number = Math.max(0, ...own.map(({ version }) => uploadNumber(version))) + 1;
  const name = `${upload.content.version} (upload ${number})`;
  const stored = await storeCatalogue(trx, name, { ...upload, origin: 'upload' });
  if (stored === undefined) throw new Error('The version of the upload is stored already');
  return stored;
}

/** Deletes the oldest uploads of an organization beyond `mostUploads`, except the one that it uses. */
export async function deleteOldUploads(database: Database, organizationId: string): Promise<void> {
  await sql`
    delete from cwe_catalogue where id in (
      select id from cwe_catalogue where organization_id = ${organizationId}::uuid
      order by created_at desc, id desc offset ${mostUploads})
    and not exists (select from organization where cwe_catalogue_id = cwe_catalogue.id)`.execute(
    database.system,
  );
}
