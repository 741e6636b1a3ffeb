import { setTimeout as sleep } from 'node:timers/promises';
import type { Readiness } from '@riskboard/contract';
import { health } from '@riskboard/contract/schemas';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { Failure } from '../lib/http/failure.ts';
import { serve } from '../lib/http/serve.ts';

type Part = Readiness['parts'][number];
/** Milliseconds after which a part without an answer is reported as down. */
const timeoutMs = 1500;

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

export function healthRoutes(app: FastifyInstance, { database, producer }: Deps): void {
  serve(
    app,
    { tag: 'health', table: health },
    {
      live: async () => ({ live: true as const }),

      async ready() {
        const parts = await Promise.all([
          check('database', async () => void (await sql`select 1`.execute(database.app))),
          check('queue', () => producer.ping().then(() => undefined)),
          check('worker', async () => ((await producer.workers()) > 0 ? undefined : 'none is running')),
        ]);
        const failing = parts.filter((part) => !part.ok);
        if (failing.length > 0) {
          const reasons = failing.map((part) => `${part.name}: ${part.reason}`).join('; ');
          throw new Failure('unavailable', `Not ready. ${reasons}.`, {
            headers: { 'retry-after': '2' },
            details: failing.map((part) => ({ path: part.name, message: part.reason ?? '' })),
          });
        }
        return { ready: true, parts };
      },
    },
  );
}
