import { createHash } from 'node:crypto';
import { catalogueMaxBytes } from '@riskboard/contract';
import { type CatalogueContent, CatalogueFault, readCatalogue } from '@riskboard/cwe';
import {
  catalogues,
  createFairSlots,
  type Database,
  deleteOldUploads,
  dropContent,
  readContent,
  setCatalogue,
  storeUploaded,
  withOrganization,
} from '@riskboard/db';
import type { FastifyRequest } from 'fastify';
import { recordActivity } from '../lib/activity/record-activity.ts';
import { invalidField } from '../lib/http/failure.ts';
import { confirmAccess } from '../lib/security/access.ts';
import type { Caller } from '../lib/security/caller.ts';
import { cleanFileName } from '../lib/upload/file-name.ts';
import { storeUpload, uploadedFile } from '../lib/upload/store-upload.ts';
import { actAsOwner } from '../organizations/ownership.ts';
import type { CatalogueChange } from './catalogue.ts';

const field = 'catalogueFile';
const endings = ['.xml', '.json', '.zip'] as const;

/**
 * A catalogue in memory is several times as large as its file, so the process reads and stores one at a time. Received
 * files wait for it in the database: a slow sender holds no slot, and waiting costs no memory.
 */
const readings = createFairSlots({ total: 1, perKey: 1, waiting: 20 });

/** A file that was received. */
interface Upload {
  bytes: AsyncIterable<Buffer>;
  fileName: string;
  fileHash: string;
}

async function hashOf(parts: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of parts) hash.update(part);
  return hash.digest('hex');
}

/** @throws Failure 422 with the line or the path for a file that is not a catalogue */
async function catalogueOf({ bytes, fileName }: Upload): Promise<CatalogueContent> {
  try {
    return await readCatalogue(bytes, fileName);
  } catch (error) {
    throw error instanceof CatalogueFault ? invalidField(field, error.message) : error;
  }
}

/** Reads and stores a file for the caller's organization, which then uses it. */
async function storeCatalogue(database: Database, caller: Caller, upload: Upload): Promise<CatalogueChange> {
  const { organizationId, accountId } = caller;
  const { fileName, fileHash } = upload;
  const content = await catalogueOf(upload);
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
  const { organizationId } = caller;
  const file = await uploadedFile(request.parts({ limits: { fileSize: catalogueMaxBytes } }), field);
  const fileName = cleanFileName(file, endings);
  const received = await storeUpload(database, organizationId, {
    file,
    maxBytes: catalogueMaxBytes,
    read: hashOf,
    confirm: () => confirmAccess(request),
  });
  const content = { organizationId, ...received };
  let changed: CatalogueChange;
  try {
    changed = await readings.run(organizationId, () => {
      const bytes = readContent(database, content);
      return storeCatalogue(database, caller, { bytes, fileName, fileHash: received.result });
    });
  } finally {
    // Content that cannot be deleted now is incomplete, and so swept away later.
    await dropContent(database, content).catch(() => undefined);
  }
  await deleteOldUploads(database, organizationId);
  return changed;
}
