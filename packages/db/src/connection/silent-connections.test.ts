import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sessionLimits } from './session-limits.ts';
import { closeSilentConnections } from './silent-connections.ts';

const answerMs = 1700;
const never = (): Promise<never> => new Promise(() => undefined);

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** Resolves after what `setImmediate` has deferred. */
const deferred = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A pool whose connections take `opensMs` to open. */
function fakePool(opensMs: number, query: () => Promise<unknown> = async () => undefined) {
  const released: unknown[] = [];
  const client = {
    query,
    release: (error?: unknown) => void released.push(error),
  };
  const connect = async () => {
    await new Promise((resolve) => setTimeout(resolve, opensMs));
    return client;
  };
  return { released, pool: { options: {}, connect } as unknown as pg.Pool };
}

describe('a connection of the api', () => {
  it('is given or refused, and its BEGIN answered, within less than the 2 s after which a caller has a reply', () => {
    expect(sessionLimits.api.answerMs).toBeLessThan(1900);
  });

  it.each([
    'begin',
    'start transaction isolation level repeatable read read only',
    'select job.* from start_job($1) as job',
  ])('leaves to "%s" only the time that opening the connection did not need', async (text) => {
    const { pool, released } = fakePool(1000, never);
    const borrowing = closeSilentConnections(pool, { answerMs }).connect();
    await vi.advanceTimersByTimeAsync(1000);
    const client = await borrowing;
    const outcome = vi.fn<() => void>();
    const failure = client.query(text, []).catch((error: unknown) => {
      outcome();
      return error;
    });
    await vi.advanceTimersByTimeAsync(answerMs - 1001);
    await deferred();
    expect(outcome).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await failure).toMatchObject({ message: 'Query read timeout' });
    client.release();
    expect(released).toEqual([expect.any(Error)]);
  });

  it('keeps an answer that arrived while the process was busy and is read after the time is over', async () => {
    const { promise: answer, resolve } = Promise.withResolvers<unknown>();
    const { pool } = fakePool(0, () => answer);
    const borrowing = closeSilentConnections(pool, { answerMs }).connect();
    await vi.advanceTimersByTimeAsync(0);
    const client = await borrowing;
    const begun = client.query('begin', []);
    vi.advanceTimersByTime(answerMs);
    resolve({ rows: [] });
    expect(await begun).toEqual({ rows: [] });
  });

  it('that opens too late is refused as unreachable, and goes back to the pool when it arrives', async () => {
    const { pool, released } = fakePool(3000);
    await Promise.all([
      expect(closeSilentConnections(pool, { answerMs }).connect()).rejects.toThrow(
        'timeout exceeded when trying to connect',
      ),
      vi.advanceTimersByTimeAsync(answerMs),
    ]);
    expect(released).toEqual([]);
    await vi.advanceTimersByTimeAsync(3000 - answerMs);
    expect(released).toEqual([undefined]);
  });

  it('that never opens is refused as unreachable', async () => {
    const pool = { options: {}, connect: never } as unknown as pg.Pool;
    await Promise.all([
      expect(closeSilentConnections(pool, { answerMs }).connect()).rejects.toThrow('timeout exceeded'),
      vi.advanceTimersByTimeAsync(answerMs),
    ]);
  });
});
