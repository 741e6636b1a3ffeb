import { reports, type ErrorCode, type ExtractKind } from '@riskboard/contract';
import { addressOf } from '../../../../lib/api/call.ts';
import { isErrorReply } from '../../../../lib/api/errors.ts';
import { endSession, refreshCount, refreshSession } from '../../../../lib/session/session.ts';
import type { UploadReply } from './upload.ts';

export interface SendOptions {
  readonly extract: readonly ExtractKind[];
  readonly signal: AbortSignal;
  /** Called with the bytes sent so far, multipart framing included. */
  onSent(bytes: number): void;
}

/**
 * Uploads one report. If the session has expired, which happens in a long batch, it is renewed and the file sent again.
 * @throws {SendFailure} with the server's message
 * @throws {DOMException} AbortError, when `signal` was aborted
 */
export async function sendReport(file: File, options: SendOptions): Promise<UploadReply> {
  const refreshes = refreshCount();
  try {
    return await send(file, options);
  } catch (error) {
    if (!(error instanceof SendFailure) || error.status !== 401) throw error;
    if (error.accessEnded) {
      endSession(error.message);
      throw error;
    }
    if (await refreshSession(refreshes)) return send(file, options);
    endSession();
    throw error;
  }
}

/** Uses XMLHttpRequest, because fetch does not report upload progress. */
async function send(file: File, { extract, signal, onSent }: SendOptions): Promise<UploadReply> {
  // It may have been cancelled while the session was renewed.
  signal.throwIfAborted();
  const query = extract.length === 0 ? {} : { extract: extract.join(',') };
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(reports.upload.method, addressOf(reports.upload, { query }));
    request.upload.addEventListener('progress', (event) => onSent(event.loaded));
    request.addEventListener('load', () => {
      const answer = readAnswer(request);
      if (answer instanceof SendFailure) reject(answer);
      else resolve(answer);
    });
    request.addEventListener('error', () =>
      reject(new SendFailure('The connection was lost.', { status: 0, retryAfterMs: null })),
    );
    request.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    const body = new FormData();
    body.append(reports.upload.multipart.field, file, file.name);
    request.send(body);
  });
}

/** Guards against a 201 that did not come from the API, such as the page of a proxy. */
function isStored(body: unknown): body is UploadReply {
  const { action, _id, jobId } = (body ?? {}) as Partial<UploadReply>;
  return (
    (action === 'created' || action === 'replaced') && typeof _id === 'string' && typeof jobId === 'string'
  );
}

function readAnswer(request: XMLHttpRequest): UploadReply | SendFailure {
  const body = parsed(request.responseText);
  if (request.status === 201) {
    if (isStored(body)) return body;
    return new SendFailure('Unexpected response format', { status: 201, retryAfterMs: null });
  }
  const message = isErrorReply(body) ? body.message : 'Please try again.';
  return new SendFailure(message, {
    status: request.status,
    retryAfterMs: retryAfterOf(request),
    accessEnded: isErrorReply(body) && body.code === ('access_ended' satisfies ErrorCode),
  });
}

function retryAfterOf(request: XMLHttpRequest): number | null {
  if (request.status !== 429 && request.status !== 503) return null;
  const header = request.getResponseHeader('retry-after');
  const seconds = header === null ? Number.NaN : Number(header);
  return Number.isFinite(seconds) ? seconds * 1000 : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Whether sending the same file again can succeed: the connection, the server or a proxy failed, or the form was cut off
 * (400, 408). A file that was refused for its content, size or for the user's role is refused again.
 */
export function retryHelps(error: unknown): boolean {
  if (!(error instanceof SendFailure)) return true;
  const { status } = error;
  return status < 300 || status >= 500 || [400, 408, 429].includes(status);
}

/** A failed upload. `retryAfterMs` is set when the server sent Retry-After (429, 503). */
export class SendFailure extends Error {
  /** HTTP status; 0 without a response. */
  readonly status: number;
  readonly retryAfterMs: number | null;
  /** The user was removed from the organization. */
  readonly accessEnded: boolean;

  constructor(
    message: string,
    answer: { status: number; retryAfterMs: number | null; accessEnded?: boolean },
  ) {
    super(message);
    this.name = 'SendFailure';
    this.status = answer.status;
    this.retryAfterMs = answer.retryAfterMs;
    this.accessEnded = answer.accessEnded ?? false;
  }
}
