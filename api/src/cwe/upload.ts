import { createHash } from 'node:crypto';
import { catalogueMaxBytes } from '@riskboard/contract';
import {
  type CatalogueContent,
  CatalogueFault,
  catalogues,
  type Database,
  deleteOldUploads,
  readCatalogue,
  setCatalogue,
  storeUploaded,
  withOrganization,
} from '@riskboard/db';
import type { FastifyRequest } from 'fastify';
import { recordActivity } from '../lib/activity/record-activity.ts';
import { Failure, invalidField } from '../lib/http/failure.ts';
import { oneAtATime } from '../lib/one-at-a-time.ts';
import type { Caller } from '../lib/security/caller.ts';
import { cleanFileName } from '../lib/upload/file-name.ts';
import { type UploadedFile, uploadedFile } from '../lib/upload/store-upload.ts';
import { actAsOwner } from '../organizations/ownership.ts';
import type { CatalogueChange } from './catalogue.ts';

const field = 'catalogueFile';
const endings = ['.xml', '.json', '.zip'] as const;

/**
 * A catalogue in memory is several times as large as its file, so an organization has one read at a time. A slow upload
 * of one organization does not delay those of others.
 */
const oneByOne = oneAtATime();

interface ReadUpload {
  content: CatalogueContent;
  fileHash: string;
}

/** @throws Failure 413 beyond the limit, 422 with the line or the path for a file that is not a catalogue */
async function readUpload({ part }: UploadedFile, fileName: string): Promise<ReadUpload> {
  const hash = createHash('sha256');
  let size = 0;
  async function* limited(): AsyncGenerator<Buffer> {
    for await (const bytes of part.file as AsyncIterable<Buffer>) {
      size += bytes.length;
      if (size > catalogueMaxBytes || part.file.truncated)
        throw new Failure('too_large', 'A catalogue may have 32 MiB at most.');
      hash.update(bytes);
      yield bytes;
    }
    if (part.file.truncated) throw new Failure('too_large', 'A catalogue may have 32 MiB at most.');
    if (size === 0) throw invalidField(field, 'The file is empty.');
  }
  const bytes = limited();
  try {
    const content = await readCatalogue(bytes, fileName);
    return { content, fileHash: hash.digest('hex') };
  } catch (error) {
    await readOn(bytes);
    throw error instanceof CatalogueFault ? invalidField(field, error.message) : error;
  }
}

/** To the end, so that the sender sees the answer instead of a broken connection. */
async function readOn(bytes: AsyncGenerator<Buffer>): Promise<void> {
  try {
    for (let next = await bytes.next(); next.done !== true; next = await bytes.next());
  } catch {
    // The answer is the first failure.
  }
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
  const { organizationId, accountId } = caller;
  const changed = await oneByOne(organizationId, async () => {
    const read = await readUpload(file, fileName);
    return withOrganization(database, organizationId, async (trx) => {
      await actAsOwner(trx, caller);
      const id = await storeUploaded(trx, { ...read, organizationId, createdBy: accountId, fileName });
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
  });
  await deleteOldUploads(database, organizationId);
  return changed;
}
