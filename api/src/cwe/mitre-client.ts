import { type CweEntry, weaknessIn } from '@riskboard/db';
import type { FastifyBaseLogger } from 'fastify';

/** Milliseconds for the whole response (contract, CWE). */
const timeoutMs = 3000;
/** The longest entry of the catalogue is about 60 kB. */
const longestBytes = 1024 * 1024;
const hourMs = 3_600_000;
/** An unreachable service delays a reader by three seconds at most once a minute. */
const minuteMs = 60_000;
/** Maximum number of remembered misses. */
const mostRemembered = 1000;

interface MitreOptions {
  /** Base address of the CWE REST API; undefined or empty turns the lookup off. */
  url: string | undefined;
  log: Pick<FastifyBaseLogger, 'warn'>;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

/**
 * A client of the CWE REST API; callers must not request one number concurrently. Undefined: the weakness is unknown,
 * remembered for an hour, or the response is missing or invalid, which is logged and remembered for a minute.
 */
export function mitreClient({
  url,
  log,
  now = Date.now,
}: MitreOptions): (id: number) => Promise<CweEntry | undefined> {
  const skipUntil = new Map<number, number>();

  function remember(id: number, forMs: number): void {
    const [oldest] = skipUntil.keys();
    if (skipUntil.size >= mostRemembered && oldest !== undefined) skipUntil.delete(oldest);
    skipUntil.set(id, now() + forMs);
  }

  async function request(base: string, id: number): Promise<CweEntry | undefined> {
    try {
      const entry = await fetchWeakness(base, id);
      if (entry === undefined) remember(id, hourMs);
      return entry;
    } catch (error) {
      remember(id, minuteMs);
      log.warn({ err: error, cwe: id }, 'the CWE REST API gave no usable response');
      return undefined;
    }
  }

  return async (id) => {
    if (url === undefined || url === '') return undefined;
    if ((skipUntil.get(id) ?? 0) > now()) return undefined;
    skipUntil.delete(id);
    return request(url, id);
  };
}

async function fetchWeakness(base: string, id: number): Promise<CweEntry | undefined> {
  const response = await fetch(`${base.replace(/\/+$/u, '')}/cwe/weakness/${id}`, {
    headers: { accept: 'application/json' },
    // The administrator chooses the server; a redirect must not.
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status === 404 || response.status === 400) {
    await response.body?.cancel();
    return undefined;
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`unexpected status ${response.status}`);
  }
  return weaknessIn(JSON.parse(await readBounded(response)), id);
}

/** @throws Error when the body exceeds `longestBytes`; the rest is not read */
async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > longestBytes) throw new Error('the response is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
