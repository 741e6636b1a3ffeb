import { lookup } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { hostOf, isPublicAddress, webhookUrlProblem } from '@riskboard/webhooks';
import { isDelivered } from '@riskboard/domain';

export interface WebhookRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Calls http and private addresses too. */
  allowPrivate: boolean;
  signal: AbortSignal;
  timeoutMs?: number;
  /** Resolves a name; tests replace it. */
  resolve?: (name: string) => Promise<{ address: string; family: number }[]>;
}

export interface WebhookOutcome {
  /** Null without a reply. */
  statusCode: number | null;
  durationMs: number;
  /** For people; null when the message was delivered. */
  error: string | null;
}

/** Milliseconds for name, connection, request and reply together. */
const standardTimeoutMs = 10_000;
/** Bytes of a reply that are read and dropped, so that the receiver can finish it. */
const mostReplyBytes = 16 * 1024;

const privateText = 'The name resolves to an address of a private network, which is not allowed here.';

/** The address was refused before a connection was opened. */
class Refused extends Error {}

const errorTexts: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The name of the address does not exist.',
  EAI_AGAIN: 'The name of the address could not be resolved.',
  ECONNREFUSED: 'The address refused the connection.',
  ECONNRESET: 'The address closed the connection.',
  EPIPE: 'The address closed the connection.',
  EHOSTUNREACH: 'The address cannot be reached.',
  ENETUNREACH: 'The address cannot be reached.',
  ETIMEDOUT: 'The address did not accept the connection in time.',
};

/** Only the code of an error is shown: its text may contain the URL. */
function errorText(error: unknown, timedOut: boolean, timeoutMs: number): string {
  if (error instanceof Refused) return error.message;
  if (timedOut) return `The address did not reply within ${timeoutMs / 1000} seconds.`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/CERT|TLS|SSL|SIGNATURE/u.test(code)) return `The secure connection failed (${code}).`;
  return errorTexts[code] ?? `The connection failed${code === '' ? '' : ` (${code})`}.`;
}

type Addresses = readonly { address: string; family: number }[];

/**
 * The addresses of the host, each checked: the connection goes to one of them, also when the name resolves to another
 * one a moment later. @throws Refused
 */
async function checkedAddresses(
  { url, allowPrivate, resolve = (name) => lookup(name, { all: true, verbatim: true }) }: WebhookRequest,
  signal: AbortSignal,
): Promise<Addresses> {
  const host = hostOf(new URL(url));
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  const found = await Promise.race([resolve(host), aborted(signal)]);
  if (found.length === 0) throw new Refused('The name of the address does not exist.');
  if (!allowPrivate && !found.every(({ address }) => isPublicAddress(address)))
    throw new Refused(privateText);
  return found;
}

/** Rejects when the signal aborts; never resolves. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolved, rejected) => {
    const abort = () => rejected(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });

const fixedLookup =
  (addresses: Addresses): LookupFunction =>
  (_name, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };

/** Reads and drops at most `mostReplyBytes` of a reply. */
function drop(reply: IncomingMessage): Promise<void> {
  return new Promise((finished) => {
    let bytes = 0;
    reply.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > mostReplyBytes) reply.destroy();
    });
    reply.once('error', () => finished());
    reply.once('close', () => finished());
  });
}

async function exchange(call: WebhookRequest, signal: AbortSignal): Promise<number> {
  const addresses = await checkedAddresses(call, signal);
  const url = new URL(call.url);
  // Loaded here, because they take longer to load than half of the worker.
  const { request: send } =
    url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  return new Promise((replied, failed) => {
    const request = send(url, {
      method: 'POST',
      // A connection of its own: one that was opened for another message was checked for another name.
      agent: false,
      lookup: fixedLookup(addresses),
      signal,
      headers: {
        ...call.headers,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(call.body)),
        'user-agent': 'Riskboard',
      },
    });
    request.once('error', failed);
    request.once('response', (reply) => {
      const status = reply.statusCode ?? 0;
      // The status is the reply: the time limit ends the reading of the rest, which confirms nothing more.
      request.off('error', failed).on('error', () => undefined);
      void drop(reply).then(() => replied(status));
    });
    request.end(call.body);
  });
}

/**
 * Posts a signed message. Redirects are not followed, and the body of the reply is dropped.
 * @throws the reason of `signal` when the job is cancelled or the worker shuts down
 */
export async function sendWebhook(call: WebhookRequest): Promise<WebhookOutcome> {
  const { timeoutMs = standardTimeoutMs } = call;
  const started = performance.now();
  const duration = () => Math.round(performance.now() - started);
  const problem = webhookUrlProblem(call.url, call);
  if (problem !== undefined) return { statusCode: null, durationMs: 0, error: problem };
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const statusCode = await exchange(call, AbortSignal.any([call.signal, timeout]));
    call.signal.throwIfAborted();
    const redirected = statusCode >= 300 && statusCode < 400;
    const refused = `The address replied with status ${statusCode}${redirected ? '; redirects are not followed' : ''}.`;
    return { statusCode, durationMs: duration(), error: isDelivered(statusCode) ? null : refused };
  } catch (error) {
    call.signal.throwIfAborted();
    return {
      statusCode: null,
      durationMs: duration(),
      error: errorText(error, timeout.aborted, timeoutMs),
    };
  }
}
