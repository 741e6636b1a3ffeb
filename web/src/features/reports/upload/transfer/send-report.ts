import { reports, type ExtractKind } from '@riskboard/contract';
import { sendFile } from '../../../../lib/api/send-file.ts';
import type { UploadReply } from './upload.ts';

export interface SendOptions {
  readonly extract: readonly ExtractKind[];
  readonly batchId: string | null;
  readonly signal: AbortSignal;
  /** Called with the bytes sent so far, multipart framing included. */
  onSent(bytes: number): void;
}

/** Guards against a 201 that did not come from the API, such as the page of a proxy. */
function isStored(body: unknown): body is UploadReply {
  const { action, _id, jobId } = (body ?? {}) as Partial<UploadReply>;
  return (
    (action === 'created' || action === 'replaced') && typeof _id === 'string' && typeof jobId === 'string'
  );
}

/**
 * Uploads one report.
 * @throws {SendFailure} with the server's message
 * @throws {DOMException} AbortError, when `signal` was aborted
 */
export const sendReport = (
  file: File,
  { extract, batchId, signal, onSent }: SendOptions,
): Promise<UploadReply> =>
  sendFile(file, {
    endpoint: reports.upload,
    query: {
      ...(extract.length > 0 && { extract: extract.join(',') }),
      ...(batchId !== null && { batch: batchId }),
    },
    signal,
    onSent,
    isReply: isStored,
  });
