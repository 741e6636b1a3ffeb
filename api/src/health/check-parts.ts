import { setTimeout as sleep } from 'node:timers/promises';
import type { Readiness } from '@riskboard/contract';
import { checkServing } from '@riskboard/db';
import { isRefusedWrite, type Producer } from '@riskboard/queue';
import type { Deps } from '../deps.ts';
import type { Disk } from './disk.ts';

type Part = Readiness['parts'][number];
/** Milliseconds after which a part without an answer is reported as down. */
const timeoutMs = 1500;

/** Checks the parts that the product needs, all at once, within two seconds. */
export type CheckParts = () => Promise<Part[]>;

async function check(name: Part['name'], probe: () => Promise<string | undefined>): Promise<Part> {
  const timer = new AbortController();
  try {
    const reason = await Promise.race([
      probe(),
      sleep(timeoutMs, 'no answer in time', { signal: timer.signal }),
    ]);
    return reason === undefined ? { name, ok: true } : { name, ok: false, reason };
  } catch {
    return { name, ok: false, reason: 'not reachable' };
  } finally {
    timer.abort();
  }
}

/** @throws when the queue is not reachable */
async function queueProblem(producer: Pick<Producer, 'ping'>): Promise<string | undefined> {
  try {
    await producer.ping();
    return undefined;
  } catch (error) {
    if (isRefusedWrite(error)) return 'refuses writes';
    throw error;
  }
}

export const partChecks =
  ({ database, producer }: Pick<Deps, 'database' | 'producer'>, disk: Disk): CheckParts =>
  () =>
    Promise.all([
      check('database', () => checkServing(database)),
      check('queue', () => queueProblem(producer)),
      check('disk', () => disk.problem()),
      check('worker', async () => ((await producer.workers()) > 0 ? undefined : 'none is running')),
    ]);
