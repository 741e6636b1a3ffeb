import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { type ErrorReply, errors } from '@riskboard/contract';
import { bareHeaders } from '../security/security-headers.ts';

/** Statuses of Node's parser errors with their names (RFC 9110, RFC 6585); all other errors are malformed requests. */
const statuses: Readonly<Record<string, { status: number; error: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, error: 'Request Timeout' },
  HPE_HEADER_OVERFLOW: { status: 431, error: 'Request Header Fields Too Large' },
};

/** Replies to bytes that are not a valid HTTP request, with the body and headers of other refusals. */
export const clientErrorHandler =
  (secure: boolean) =>
  (error: Error & { code?: string }, socket: Socket): void => {
    // The client closed the connection.
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy(error);
    const { status, error: reason } = statuses[error.code ?? ''] ?? errors.malformed;
    const reply: ErrorReply = {
      statusCode: status,
      code: 'malformed',
      error: reason,
      message: errors.malformed.fallback,
      requestId: randomUUID(),
    };
    const body = JSON.stringify(reply);
    const headers = {
      ...bareHeaders(secure),
      connection: 'close',
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
    };
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    socket.end([`HTTP/1.1 ${status} ${reason}`, ...head, '', body].join('\r\n'));
  };
