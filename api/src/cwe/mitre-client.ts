import { type CweEntry, weaknessIn } from '@riskboard/cwe';
import { createFairSlots } from '@riskboard/db';
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
/** MITRE's numbers have up to four digits. */
const highestNumber = 99_999;
/** Maximum number of requests of this process in a minute: every viewer can cause them. */
const mostPerMinute = 60;
/** Requests at once; those that wait are so few that the last one is answered within nine seconds. */
const slotLimits = { total: 2, perKey: 2, waiting: 4 } as const;

interface MitreOptions {
  /** Base address of the CWE REST API; undefined or empty turns the lookup off. */
  url: string | undefined;
  log: Pick<FastifyBaseLogger, 'warn'>;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

/**
 * A client of the CWE REST API; callers must not request one number concurrently. Undefined: the weakness is unknown,
 * remembered for an hour; or the response is missing or invalid, or too many requests wait, which is logged and remembered
 * for a minute; or the requests of this minute are used up, which is logged once.
 */
export function mitreClient({
  url,
  log,
  now = Date.now,
}: MitreOptions): (id: number) => Promise<CweEntry | undefined> {
  const skipUntil = new Map<number, number>();
  const slots = createFairSlots(slotLimits);
  /** When the requests of the last minute were made. */
  let made: number[] = [];
  let isUsedUp = false;

  /** Counts a request. @returns false when the requests of this minute are used up */
  function countRequest(): boolean {
    made = made.filter((at) => at > now() - minuteMs);
    const wasUsedUp = isUsedUp;
    isUsedUp = made.length >= mostPerMinute;
    if (!isUsedUp) made.push(now());
    else if (!wasUsedUp) log.warn({ mostPerMinute }, 'too many requests to the CWE REST API in a minute');
    return !isUsedUp;
  }

  function remember(id: number, forMs: number): void {
    const [oldest] = skipUntil.keys();
    if (skipUntil.size >= mostRemembered && oldest !== undefined) skipUntil.delete(oldest);
    skipUntil.set(id, now() + forMs);
  }

  async function request(base: string, id: number): Promise<CweEntry | undefined> {
    try {
      const entry = await slots.run('CWE REST API', () => fetchWeakness(base, id));
      if (entry === undefined) remember(id, hourMs);
      return entry;
    } catch (error) {
      remember(id, minuteMs);
      log.warn({ err: error, cwe: id }, 'the CWE REST API gave no usable response');
      return undefined;
    }
  }

  return async (id) => {
    if (url === undefined || url === '' || id > highestNumber) return undefined;
    if ((skipUntil.get(id) ?? 0) > now()) return undefined;
    skipUntil.delete(id);
    return countRequest() ? request(url, id) : undefined;
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
