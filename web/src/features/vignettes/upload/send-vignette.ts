import { vignettes, type Reply } from '@riskboard/contract';
import { sendFile } from '../../../lib/api/send-file.ts';

export type StoredVignette = Reply<typeof vignettes.upload>;

/** Guards against a 201 that did not come from the API, such as the page of a proxy. */
function isStored(body: unknown): body is StoredVignette {
  const { action, _id, scorecardName, warnings } = (body ?? {}) as Partial<StoredVignette>;
  return (
    (action === 'created' || action === 'replaced') &&
    typeof _id === 'string' &&
    typeof scorecardName === 'string' &&
    Array.isArray(warnings)
  );
}

interface SendOptions {
  readonly signal: AbortSignal;
  /** Called with the bytes sent so far, multipart framing included. */
  readonly onSent: (bytes: number) => void;
}

/**
 * Uploads a vignette.
 * @throws {SendFailure} with the server's message and what is wrong where
 * @throws {DOMException} AbortError, when `signal` was aborted
 */
export const sendVignette = (file: File, options: SendOptions): Promise<StoredVignette> =>
  sendFile(file, { endpoint: vignettes.upload, isReply: isStored, ...options });
