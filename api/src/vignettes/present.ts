import type { Vignette, VignetteContent, VignetteSummary } from '@riskboard/contract';
import type { Vignette as Content } from '@riskboard/domain';
import {
  type OrganizationTransaction,
  type Schema,
  selectVignettes,
  selectVignetteVersions,
} from '@riskboard/db';
import type { Selectable } from 'kysely';
import { Failure } from '../lib/http/failure.ts';

/** A row of the list. */
export type VignetteRow = Selectable<Schema['vignette']> & { vulnerabilities: number };

export type FullVignette = Awaited<ReturnType<typeof findVignette>>;

/** Versions that the detail lists. */
const mostVersions = 100;

/** @throws Failure 404 */
export async function findVignette(trx: OrganizationTransaction, id: string) {
  const row = await selectVignettes(trx).where('vignette.id', '=', id).executeTakeFirst();
  if (!row) throw new Failure('not_found', 'Vignette not found.');
  return row;
}

export const presentSummary = (row: VignetteRow): VignetteSummary => ({
  _id: row.id,
  id: row.id,
  name: row.name,
  scorecardName: row.scorecard_name,
  origin: row.origin,
  originalFilename: row.original_filename,
  version: row.version,
  ratedCells: row.rated_cells,
  vulnerabilities: row.vulnerabilities,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

export const presentContent = (content: Content): VignetteContent => ({
  ...content,
  archetypes: [...content.archetypes],
  references: [...content.references],
  scorecard: [...content.scorecard],
});

/** A vignette with its newest content and its versions. */
export async function presentVignette(trx: OrganizationTransaction, row: FullVignette): Promise<Vignette> {
  const versions = await selectVignetteVersions(trx, row.id).limit(mostVersions).execute();
  return {
    ...presentSummary(row),
    ...presentContent(row.content),
    createdBy: row.created_by,
    updatedBy: row.updated_by,
    versions: versions.map(({ version, at, by }) => ({ version, at: at.toISOString(), by })),
  };
}
