import {
  signedInAsHeader,
  type Endpoint,
  type ErrorCode,
  type ErrorReply,
  type Reply,
} from '@riskboard/contract';
import { isEarlierOwner, pageOwner } from '../session/page-owner.ts';
import { accountChanged, endSession, refreshCount, refreshSession } from '../session/session.ts';
import { addressOf } from './call.ts';
import { isErrorReply, lateAnswer, UnreachableError } from './errors.ts';

/** An endpoint that receives one file in a form. */
interface FileEndpoint extends Endpoint {
  readonly multipart: { readonly field: string };
}

interface FileRequest<E extends FileEndpoint> {
  readonly endpoint: E;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** Called with the bytes sent so far, multipart framing included. */
  readonly onSent: (bytes: number) => void;
  /** Whether a body with status 201 came from the API, and not from a proxy. */
  readonly isReply: (body: unknown) => body is Reply<E>;
}

/**
 * Uploads one file for the account and organization that the tab shows now. If the session has expired, which happens in a
 * long batch, it is renewed and the file sent again.
 * @throws {SendFailure} with the server's message
 * @throws {DOMException} AbortError, when `signal` was aborted
 */
export async function sendFile<E extends FileEndpoint>(
  file: File,
  request: FileRequest<E>,
): Promise<Reply<E>> {
  const owner = pageOwner.get();
  const refreshes = refreshCount();
  try {
    return await send(file, request, owner);
  } catch (error) {
    if (!(error instanceof SendFailure) || error.status !== 401) throw error;
    if (error.code === ('access_ended' satisfies ErrorCode)) {
      endSession(error.message);
      throw error;
    }
    if (await refreshSession(refreshes)) return send(file, request, owner);
    endSession();
    throw error;
  }
}

/** Uses XMLHttpRequest, because fetch does not report upload progress. */
async function send<E extends FileEndpoint>(
  file: File,
  { endpoint, query = {}, signal, onSent, isReply }: FileRequest<E>,
  owner: string | undefined,
): Promise<Reply<E>> {
  // It may have been cancelled while the session was renewed.
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(endpoint.method, addressOf(endpoint, { query: { ...query } }));
    if (owner !== undefined) request.setRequestHeader(signedInAsHeader, owner);
    request.upload.addEventListener('progress', (event) => onSent(event.loaded));
    request.addEventListener('load', () => {
      const body = parsed(request.responseText);
      if (isEarlierOwner(owner)) reject(lateAnswer());
      else if (request.status !== 201) reject(failureOf(request, body));
      else if (isReply(body)) resolve(body);
      else reject(new SendFailure('Unexpected response format', { status: 201, retryAfterMs: null }));
    });
    request.addEventListener('error', () =>
      reject(new SendFailure('The connection was lost.', { status: 0, retryAfterMs: null })),
    );
    request.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    const body = new FormData();
    body.append(endpoint.multipart.field, file, file.name);
    request.send(body);
  });
}

function failureOf(request: XMLHttpRequest, body: unknown): SendFailure {
  const code = isErrorReply(body) ? body.code : '';
  if (code === ('session_changed' satisfies ErrorCode)) accountChanged();
  return new SendFailure(isErrorReply(body) ? body.message : 'Please try again.', {
    status: request.status,
    retryAfterMs: retryAfterOf(request),
    code,
    ...(isErrorReply(body) && body.details !== undefined && { details: body.details }),
  });
}

/** Pause after 429 or 503 without a `Retry-After`, such as of a proxy. */
const pauseMs = 5000;

function retryAfterOf(request: XMLHttpRequest): number | null {
  if (request.status !== 429 && request.status !== 503) return null;
  const header = request.getResponseHeader('retry-after');
  const seconds = header === null ? Number.NaN : Number(header);
  return Number.isFinite(seconds) ? seconds * 1000 : pauseMs;
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

/** Statuses of a request that the API did not answer: the connection was lost (0), or a proxy did not reach it. */
const unansweredStatuses: ReadonlySet<number> = new Set([0, 502, 504]);

/** Whether no answer of the API arrived, so that the same upload may succeed once it can be reached again. */
export const isConnectionLoss = (error: unknown): boolean =>
  error instanceof UnreachableError || (error instanceof SendFailure && unansweredStatuses.has(error.status));

/** A failed upload. `retryAfterMs` is set when the server sent Retry-After (429, 503). */
export class SendFailure extends Error {
  /** HTTP status; 0 without a response. */
  readonly status: number;
  readonly retryAfterMs: number | null;
  /** Code of the refusal (contract, errors); empty when the API did not answer. */
  readonly code: string;
  /** What is wrong where in the file; empty when the server did not say. */
  readonly details: NonNullable<ErrorReply['details']>;

  constructor(
    message: string,
    answer: {
      status: number;
      retryAfterMs: number | null;
      code?: string;
      details?: NonNullable<ErrorReply['details']>;
    },
  ) {
    super(message);
    this.name = 'SendFailure';
    this.status = answer.status;
    this.retryAfterMs = answer.retryAfterMs;
    this.code = answer.code ?? '';
    this.details = answer.details ?? [];
  }
}
