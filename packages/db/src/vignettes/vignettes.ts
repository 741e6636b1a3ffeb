import type { Vignette } from '@riskboard/domain';
import { type Kysely, sql } from 'kysely';
import type { ChangedRows } from '../changes.ts';
import { markStale } from '../cwss/mark-stale.ts';
import { newId } from '../new-id.ts';
import type { Schema } from '../tables.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

/** Name of an account; empty for one that left the organization, and where no person acted. */
const nameOf = (alias: string) =>
  sql<string>`coalesce((select trim(first_name || ' ' || last_name) from account where account.id = ${sql.ref(alias)}), '')`;

/** Vignettes with their newest content and the number of vulnerabilities whose newest score applies them. */
export const selectVignettes = (trx: OrganizationTransaction) =>
  trx
    .selectFrom('vignette')
    .innerJoin('vignette_version', (join) =>
      join
        .onRef('vignette_version.organization_id', '=', 'vignette.organization_id')
        .onRef('vignette_version.vignette_id', '=', 'vignette.id')
        .onRef('vignette_version.version', '=', 'vignette.version'),
    )
    .selectAll('vignette')
    .select('vignette_version.content')
    .select(
      sql<number>`(select count(*)::int from vulnerability
        where vulnerability.organization_id = vignette.organization_id
          and vulnerability.cwss_vignette_id = vignette.id)`.as('vulnerabilities'),
    )
    .select(nameOf('vignette.updated_by').as('changer'));

/** Versions of a vignette without their content, newest first. */
export const selectVignetteVersions = (trx: OrganizationTransaction, id: string) =>
  trx
    .selectFrom('vignette_version')
    .where('vignette_id', '=', id)
    .select(['version', 'created_at as at'])
    .select(nameOf('vignette_version.created_by').as('by'))
    .orderBy('version', 'desc');

export interface VignetteAuthor {
  organizationId: string;
  /** Null for the starter vignettes of a new organization. */
  accountId: string | null;
}

/** A vignette to store, and the name of its file; empty for one that was written in the editor. */
export interface NewVignette {
  vignette: Vignette;
  originalFilename: string;
}

const columnsOf = (vignette: Vignette) => ({
  name: vignette.name,
  scorecard_name: vignette.scorecardName,
  origin: vignette.origin,
  rated_cells: vignette.scorecard.length,
});

/**
 * Inserts vignettes in their first version. The caller knows that the names are new.
 * @returns their ids
 */
export async function insertVignettes(
  trx: Kysely<Schema>,
  { organizationId, accountId }: VignetteAuthor,
  created: readonly NewVignette[],
): Promise<string[]> {
  const rows = created.map((one) => ({ id: newId(), ...one }));
  if (rows.length === 0) return [];
  await trx
    .insertInto('vignette')
    .values(
      rows.map(({ id, vignette, originalFilename }) => ({
        organization_id: organizationId,
        id,
        ...columnsOf(vignette),
        original_filename: originalFilename,
        created_by: accountId,
        updated_by: accountId,
      })),
    )
    .execute();
  await trx
    .insertInto('vignette_version')
    .values(
      rows.map(({ id, vignette }) => ({
        organization_id: organizationId,
        vignette_id: id,
        version: 1,
        content: JSON.stringify(vignette),
        created_by: accountId,
      })),
    )
    .execute();
  return rows.map(({ id }) => id);
}

/** A version that was added, and the vulnerabilities whose scores became stale. */
export interface AddedVersion {
  version: number;
  stale: ChangedRows;
}

/** Adds a version to a vignette, under `lockVignettes`. Scores that apply the vignette become stale. */
export async function addVignetteVersion(
  trx: OrganizationTransaction,
  { organizationId, accountId }: VignetteAuthor,
  { id, vignette, originalFilename }: { id: string; vignette: Vignette; originalFilename?: string },
): Promise<AddedVersion> {
  const { version } = await trx
    .updateTable('vignette')
    .set({
      ...columnsOf(vignette),
      ...(originalFilename === undefined ? {} : { original_filename: originalFilename }),
      version: sql<number>`version + 1`,
      updated_by: accountId,
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .returning('version')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('vignette_version')
    .values({
      organization_id: organizationId,
      vignette_id: id,
      version,
      content: JSON.stringify(vignette),
      created_by: accountId,
    })
    .execute();
  return { version, stale: await markStale(trx, { reason: 'vignette', vignetteId: id }) };
}

/**
 * Deletes a vignette with its versions, under `lockVignettes`. Scores that applied it stay and become stale.
 * @returns the vulnerabilities whose scores became stale
 */
export async function deleteVignette(trx: OrganizationTransaction, id: string): Promise<ChangedRows> {
  const stale = await markStale(trx, { reason: 'vignette-deleted', vignetteId: id });
  await trx.deleteFrom('vignette').where('id', '=', id).execute();
  return stale;
}
