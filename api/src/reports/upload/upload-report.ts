import { changedEvent, type ExtractKind } from '@riskboard/contract';
import {
  addRefusedFile,
  lockFileName,
  type OrganizationTransaction,
  recordEvents,
  withOrganization,
} from '@riskboard/db';
import { reportName } from '@riskboard/domain';
import type { FastifyRequest } from 'fastify';
import { lockBatchForFiles } from '../../batches/find-batch.ts';
import { whileReceiving } from '../../batches/while-receiving.ts';
import type { Deps } from '../../deps.ts';
import { Failure } from '../../lib/http/failure.ts';
import { type AfterCommit, whileInterrupted } from '../../lib/publish.ts';
import { confirmAccess } from '../../lib/security/access.ts';
import type { Caller } from '../../lib/security/caller.ts';
import { cleanFileName, longestName } from '../../lib/upload/file-name.ts';
import { uploadedFile, type UploadedFile } from '../../lib/upload/store-upload.ts';
import { receiveReport } from './receive.ts';
import { interruptRunsOfName, saveUpload } from './save-upload.ts';

/** Accepted endings (spec 5, Uploads). */
const reportEndings = ['.json', '.xml'] as const;

/** Errors of the file itself: sending it again cannot help. */
const refusals: ReadonlySet<string> = new Set(['invalid', 'too_large', 'wrong_type']);

interface UploadCall {
  query: { extract: ExtractKind[]; batch?: string | undefined };
  caller: Caller;
  request: FastifyRequest;
}

/** Receives one report, alone or as a file of a batch. */
export async function uploadReport(deps: Deps, after: AfterCommit, { query, caller, request }: UploadCall) {
  const { database } = deps;
  const { organizationId, accountId: by } = caller;
  const inside = <T>(work: (trx: OrganizationTransaction) => Promise<T>) =>
    withOrganization(database, organizationId, work);
  const confirm = () => confirmAccess(request);
  const { batch } = query;
  const changed =
    batch === undefined ? [] : [changedEvent('batch.changed', { action: 'updated', by }, [batch])];

  if (batch !== undefined) await inside((trx) => lockBatchForFiles(trx, batch));
  const file = await uploadedFile(request.parts(), 'stixFile');

  async function receiveFile() {
    const name = cleanFileName(file, reportEndings);
    return { name, ...(await receiveReport(database, organizationId, { file, confirm })) };
  }

  function receive() {
    if (batch === undefined) return receiveFile();
    const noting = {
      organizationId,
      batchId: batch,
      bytesRead: () => file.part.file.bytesRead,
      log: request.log,
      onNoted: () => after.events(organizationId, changed),
    };
    return whileReceiving(deps, noting, receiveFile);
  }

  const received = await receive().catch(async (error: unknown) => {
    if (batch !== undefined && error instanceof Failure && refusals.has(error.code)) {
      await confirm();
      const recorded = await inside((trx) => recordRefusal(trx, { batchId: batch, file, error }));
      if (recorded) await after.events(organizationId, changed);
    }
    throw error;
  });
  const interrupted = await inside((trx) => interruptRunsOfName(trx, received.name));
  const saved = await whileInterrupted(after, interrupted, () =>
    inside((trx) => saveUpload(trx, caller, { ...received, extract: query.extract, batch })),
  );
  const action = saved.action === 'created' ? 'created' : 'updated';
  await Promise.all([
    after.jobsCancelled(saved.cancelled),
    after.jobsQueued(saved.queued),
    after.events(organizationId, [
      changedEvent('file.changed', { action, by }, [saved.fileId]),
      ...recordEvents(saved.records, by),
      ...changed,
    ]),
  ]);
  return {
    success: true as const,
    action: saved.action,
    _id: saved.fileId,
    id: saved.fileId,
    stixVersion: received.stixVersion,
    jobId: saved.jobId,
  };
}

/** The report of a batch names refused files too. @returns false for a file without a name */
async function recordRefusal(
  trx: OrganizationTransaction,
  { batchId, file, error }: { batchId: string; file: UploadedFile; error: Failure },
): Promise<boolean> {
  const name = reportName(file.name).slice(0, longestName);
  if (name === '') return false;
  await lockBatchForFiles(trx, batchId);
  await lockFileName(trx, name);
  await addRefusedFile(trx, { batchId, name, size: file.part.file.bytesRead, message: error.message });
  return true;
}
