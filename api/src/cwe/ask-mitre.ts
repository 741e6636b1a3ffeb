import type { CweEntry } from '@riskboard/db';
import type { FastifyBaseLogger } from 'fastify';
import { weaknessIn } from './weakness-reply.ts';

/** Milliseconds for the whole answer (contract, CWE). */
const patienceMs = 3000;
/** The longest entry of the catalogue is some 60 kB. */
const longestBytes = 1024 * 1024;
const hourMs = 3_600_000;
/** A service that is away costs a reader three seconds; not each time. */
const minuteMs = 60_000;
/** So many refusals are remembered at most. */
const mostRemembered = 1000;

interface MitreOptions {
  /** Base address of the CWE REST API; undefined or empty: nothing is asked. */
  url: string | undefined;
  log: Pick<FastifyBaseLogger, 'warn'>;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

/**
 * Asks the CWE REST API for a weakness; who asks takes care to ask once at a time for one number. Undefined: it knows
 * none, which is believed for an hour, or it cannot be reached or understood, which is logged and believed for a minute.
 */
export function mitre({
  url,
  log,
  now = Date.now,
}: MitreOptions): (id: number) => Promise<CweEntry | undefined> {
  const silentUntil = new Map<number, number>();

  function remember(id: number, forMs: number): void {
    const [oldest] = silentUntil.keys();
    if (silentUntil.size >= mostRemembered && oldest !== undefined) silentUntil.delete(oldest);
    silentUntil.set(id, now() + forMs);
  }

  async function ask(base: string, id: number): Promise<CweEntry | undefined> {
    try {
      const entry = await fetchWeakness(base, id);
      if (entry === undefined) remember(id, hourMs);
      return entry;
    } catch (error) {
      remember(id, minuteMs);
      log.warn({ err: error, cwe: id }, 'the CWE REST API gave no answer that can be used');
      return undefined;
    }
  }

  return async (id) => {
    if (url === undefined || url === '') return undefined;
    if ((silentUntil.get(id) ?? 0) > now()) return undefined;
    silentUntil.delete(id);
    return ask(url, id);
  };
}

async function fetchWeakness(base: string, id: number): Promise<CweEntry | undefined> {
  const response = await fetch(`${base.replace(/\/+$/u, '')}/cwe/weakness/${id}`, {
    headers: { accept: 'application/json' },
    // Where the answer comes from is the administrator's choice, not the answer's.
    redirect: 'error',
    signal: AbortSignal.timeout(patienceMs),
  });
  if (response.status === 404 || response.status === 400) {
    await response.body?.cancel();
    return undefined;
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`it answered ${response.status}`);
  }
  return weaknessIn(JSON.parse(await readBounded(response)), id);
}

/** @throws when the body is longer than any entry can be; the rest is not read. */
async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > longestBytes) throw new Error('its answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
