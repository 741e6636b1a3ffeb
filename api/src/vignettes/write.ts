import { isDeepStrictEqual } from 'node:util';
import {
  addVignetteVersion,
  type ChangedRows,
  deleteVignette,
  insertVignettes,
  lockVignettes,
  type NewVignette,
  type OrganizationTransaction,
  selectVignettes,
} from '@riskboard/db';
import { type Change, changesOf, starterVignettes, type Vignette } from '@riskboard/domain';
import type { VignetteChange, VignetteContent } from '@riskboard/contract';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { recordActivity } from '../lib/activity/record-activity.ts';
import { Failure } from '../lib/http/failure.ts';
import { requireVersion } from '../lib/http/if-match.ts';
import type { Caller } from '../lib/security/caller.ts';
import { findVignette, type FullVignette } from './present.ts';
import { readVignetteBody } from './read-file.ts';

/** What a write did to one vignette. */
export interface Written {
  id: string;
  action: 'created' | 'updated' | 'unchanged';
  version: number;
  /** Vulnerabilities whose scores became stale. */
  stale: ChangedRows;
}

const named = (trx: OrganizationTransaction, name: string) =>
  selectVignettes(trx)
    .where('name_key', '=', sql<string>`lower(${name})`)
    .executeTakeFirst();

/** @throws Failure 409 */
async function refuseClash(trx: OrganizationTransaction, { id, name }: { id?: string; name: string }) {
  const other = await named(trx, name);
  if (!other || other.id === id) return;
  const message = `A vignette named ${other.name} exists already.`;
  throw new Failure('conflict', message, { details: [{ path: 'name', message }] });
}

async function insert(trx: OrganizationTransaction, caller: Caller, created: NewVignette): Promise<Written> {
  const [id = ''] = await insertVignettes(trx, caller, [created]);
  const { name, scorecardName } = created.vignette;
  await recordActivity(trx, caller, {
    action: 'vignette.created',
    nounId: id,
    name,
    detail: { scorecard: scorecardName, version: 1 },
  });
  return { id, action: 'created', version: 1, stale: [] };
}

/** Creates a vignette. @throws Failure 409 for a name that exists in any case, 422 */
export async function createVignette(
  trx: OrganizationTransaction,
  caller: Caller,
  body: VignetteContent,
): Promise<Written> {
  const vignette = readVignetteBody(body);
  await lockVignettes(trx);
  await refuseClash(trx, { name: vignette.name });
  return insert(trx, caller, { vignette, originalFilename: '' });
}

/** Stores an uploaded vignette: a new one, or a new version of the one of this name. The same content adds no version. */
export async function saveUploadedVignette(
  trx: OrganizationTransaction,
  caller: Caller,
  uploaded: NewVignette,
): Promise<Written> {
  await lockVignettes(trx);
  const { vignette, originalFilename } = uploaded;
  const before = await named(trx, vignette.name);
  if (!before) return insert(trx, caller, uploaded);
  const { id } = before;
  const written = await writeVersion(trx, caller, { before, vignette, originalFilename });
  if (written.action === 'unchanged') return written;
  await recordActivity(trx, caller, {
    action: 'vignette.replaced',
    nounId: id,
    name: vignette.name,
    detail: { scorecard: vignette.scorecardName, version: written.version },
  });
  return written;
}

/**
 * Saves a new version: the newest one with the fields that were sent. A change that changes nothing leaves the version as
 * it is.
 * @throws Failure 404, 409, 412, 422
 */
export async function updateVignette(
  trx: OrganizationTransaction,
  caller: Caller,
  { id, body, request }: { id: string; body: VignetteChange; request: FastifyRequest },
): Promise<Written> {
  await lockVignettes(trx);
  const before = await findVignette(trx, id);
  requireVersion(request, { version: before.version, changedBy: before.changer });
  const vignette = readVignetteBody({ ...before.content, ...body });
  await refuseClash(trx, { id: before.id, name: vignette.name });
  const written = await writeVersion(trx, caller, { before, vignette });
  if (written.action === 'unchanged') return written;
  await recordActivity(trx, caller, {
    action: 'vignette.updated',
    nounId: before.id,
    name: vignette.name,
    detail: { version: written.version, changes: changesBetween(before.content, vignette) },
  });
  return written;
}

interface NewVersion {
  before: FullVignette;
  vignette: Vignette;
  originalFilename?: string;
}

async function writeVersion(
  trx: OrganizationTransaction,
  caller: Caller,
  { before, vignette, ...file }: NewVersion,
): Promise<Written> {
  const { id, version } = before;
  if (!isDeepStrictEqual(before.content, vignette))
    return {
      id,
      action: 'updated',
      ...(await addVignetteVersion(trx, caller, { id, vignette, ...file })),
    };
  return { id, action: 'unchanged', version, stale: [] };
}

/** Ratings by the name of their cell. */
const ratingsOf = ({ scorecard }: Vignette): Record<string, number> =>
  Object.fromEntries(scorecard.map(({ impact, layer, subscore }) => [`${impact}, ${layer}`, subscore]));

const textFields = [
  'name',
  'scorecardName',
  'description',
  'domain',
  'maturity',
  'archetypes',
  'businessValueContext',
  'notes',
  'references',
  'origin',
] as const;

/** Texts by field, ratings cell by cell. */
function changesBetween(before: Vignette, after: Vignette): Record<string, Change> {
  const [from, to] = [ratingsOf(before), ratingsOf(after)];
  const cells = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  const rated = Object.fromEntries(cells.map((cell) => [cell, to[cell] ?? null]));
  return { ...changesOf(before, after, textFields), ...changesOf(from, rated, cells) };
}

/** Adds the starter vignettes whose names no vignette has. @returns ids of the new ones */
export async function addStarters(trx: OrganizationTransaction, caller: Caller): Promise<string[]> {
  await lockVignettes(trx);
  const ids: string[] = [];
  for (const vignette of starterVignettes)
    if (!(await named(trx, vignette.name)))
      ids.push((await insert(trx, caller, { vignette, originalFilename: '' })).id);
  return ids;
}

/**
 * Deletes a vignette with its versions.
 * @returns the vulnerabilities whose scores became stale
 * @throws Failure 404, 412
 */
export async function removeVignette(
  trx: OrganizationTransaction,
  caller: Caller,
  { id, request }: { id: string; request: FastifyRequest },
): Promise<ChangedRows> {
  await lockVignettes(trx);
  const { name, version, changer } = await findVignette(trx, id);
  requireVersion(request, { version, changedBy: changer });
  const stale = await deleteVignette(trx, id);
  await recordActivity(trx, caller, { action: 'vignette.deleted', nounId: id, name, detail: { version } });
  return stale;
}
