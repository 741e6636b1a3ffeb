import { contract, ErrorReply, type ExtractKind } from '@riskboard/contract';
import type { UploadReply } from './upload.ts';

const upload = contract.reports.upload;

export interface SendOptions {
  readonly extract: readonly ExtractKind[];
  readonly signal: AbortSignal;
  /** Bytes that left the browser so far, multipart framing included. */
  onSent(bytes: number): void;
}

/** The upload did not get through. `retryAfterMs` is set when the server asks for patience (429, 503). */
export class SendFailure extends Error {
  readonly status: number;
  readonly retryAfterMs: number | null;

  constructor(message: string, answer: { status: number; retryAfterMs: number | null }) {
    super(message);
    this.name = 'SendFailure';
    this.status = answer.status;
    this.retryAfterMs = answer.retryAfterMs;
  }
}

/**
 * Uploads one report. XMLHttpRequest, because fetch tells nothing about the progress of a request body.
 * Rejects with `SendFailure` carrying the server's message, or with an AbortError when cancelled.
 */
export function sendReport(file: File, options: SendOptions): Promise<UploadReply> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(upload.method, addressOf(options.extract));
    request.upload.addEventListener('progress', (event) => options.onSent(event.loaded));
    request.addEventListener('load', () => {
      const answer = readAnswer(request);
      if (answer instanceof SendFailure) reject(answer);
      else resolve(answer);
    });
    request.addEventListener('error', () =>
      reject(new SendFailure('The connection was lost.', { status: 0, retryAfterMs: null })),
    );
    request.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')));
    options.signal.addEventListener('abort', () => request.abort(), { once: true });
    const body = new FormData();
    body.append(upload.multipart.field, file, file.name);
    request.send(body);
  });
}

function addressOf(extract: readonly ExtractKind[]): string {
  if (extract.length === 0) return upload.path;
  return `${upload.path}?${new URLSearchParams({ extract: extract.join(',') })}`;
}

function readAnswer(request: XMLHttpRequest): UploadReply | SendFailure {
  const body = parsed(request.responseText);
  if (request.status === 201) {
    const reply = upload.reply[201].safeParse(body);
    if (reply.success) return reply.data;
    return new SendFailure('The server answered in an unexpected way.', { status: 201, retryAfterMs: null });
  }
  const refused = ErrorReply.safeParse(body);
  const message = refused.success ? refused.data.message : 'Please try again.';
  return new SendFailure(message, { status: request.status, retryAfterMs: retryAfterOf(request) });
}

function retryAfterOf(request: XMLHttpRequest): number | null {
  if (request.status !== 429 && request.status !== 503) return null;
  const seconds = Number(request.getResponseHeader('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
