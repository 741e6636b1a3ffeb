import { createHash } from 'node:crypto';
import { catalogueMaxBytes } from '@riskboard/contract';
import {
  type CatalogueContent,
  CatalogueFault,
  catalogues,
  createFairSlots,
  type Database,
  deleteOldUploads,
  readCatalogue,
  setCatalogue,
  storeUploaded,
  withOrganization,
} from '@riskboard/db';
import type { FastifyRequest } from 'fastify';
import { recordActivity } from '../lib/activity/record-activity.ts';
import { invalidField } from '../lib/http/failure.ts';
import { oneAtATime } from '../lib/one-at-a-time.ts';
import { confirmAccess } from '../lib/security/access.ts';
import type { Caller } from '../lib/security/caller.ts';
import { cleanFileName } from '../lib/upload/file-name.ts';
import { readUpload } from '../lib/upload/read-upload.ts';
import { uploadedFile } from '../lib/upload/store-upload.ts';
import { actAsOwner } from '../organizations/ownership.ts';
import type { CatalogueChange } from './catalogue.ts';

const field = 'catalogueFile';
const endings = ['.xml', '.json', '.zip'] as const;

/**
 * A catalogue in memory is several times as large as its file, so the process reads and stores one at a time. Received
 * files wait for it, up to 32 MiB each: one of an organization, and eight of all.
 */
const uploads = createFairSlots({ total: 8, perKey: 1, waiting: 20 });
const oneByOne = oneAtATime();

interface Upload {
  bytes: Buffer;
  fileName: string;
}

/** @throws Failure 422 with the line or the path for a file that is not a catalogue */
async function contentOf({ bytes, fileName }: Upload): Promise<CatalogueContent> {
  try {
    return await readCatalogue(bytes, fileName);
  } catch (error) {
    throw error instanceof CatalogueFault ? invalidField(field, error.message) : error;
  }
}

/** Reads and stores a file for the caller's organization, which then uses it. */
async function storeUpload(database: Database, caller: Caller, upload: Upload): Promise<CatalogueChange> {
  const { organizationId, accountId } = caller;
  const { bytes, fileName } = upload;
  const content = await contentOf(upload);
  const fileHash = createHash('sha256').update(bytes).digest('hex');
  return withOrganization(database, organizationId, async (trx) => {
    await actAsOwner(trx, caller);
    const id = await storeUploaded(trx, {
      content,
      fileHash,
      organizationId,
      createdBy: accountId,
      fileName,
    });
    const change = await setCatalogue(trx, id);
    const version = (await catalogues(trx)).find((one) => one.id === id)?.version ?? '';
    if (change)
      await recordActivity(trx, caller, {
        action: 'catalogue.uploaded',
        nounId: null,
        name: `CWE ${version}`,
        detail: { version, previousVersion: change.previousVersion, fileName },
      });
    return change;
  });
}

/**
 * Stores an uploaded catalogue for the caller's organization, which then uses it.
 * @returns the change; undefined when the organization used the same file before
 */
export async function uploadCatalogue(
  database: Database,
  caller: Caller,
  request: FastifyRequest,
): Promise<CatalogueChange> {
  const file = await uploadedFile(request.parts(), field);
  const fileName = cleanFileName(file, endings);
  const changed = await uploads.run(caller.organizationId, async () => {
    const bytes = await readUpload(file, catalogueMaxBytes);
    await confirmAccess(request);
    return oneByOne('catalogue', () => storeUpload(database, caller, { bytes, fileName }));
  });
  await deleteOldUploads(database, caller.organizationId);
  return changed;
}
