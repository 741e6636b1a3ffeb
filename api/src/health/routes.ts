import { setTimeout as sleep } from 'node:timers/promises';
import type { Readiness } from '@riskboard/contract';
import { health } from '@riskboard/contract/schemas';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { Failure } from '../lib/http/failure.ts';
import { serve } from '../lib/http/serve.ts';

type Part = Readiness['parts'][number];
/** A part that has not answered by then is down. */
const patienceMs = 1500;

async function ask(name: Part['name'], question: () => Promise<string | undefined>): Promise<Part> {
  const silence = new AbortController();
  try {
    const reason = await Promise.race([
      question(),
      sleep(patienceMs, 'no answer in time', { signal: silence.signal }),
    ]);
    return reason === undefined ? { name, ok: true } : { name, ok: false, reason };
  } catch {
    return { name, ok: false, reason: 'not reachable' };
  } finally {
    silence.abort();
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
          ask('database', async () => void (await sql`select 1`.execute(database.app))),
          ask('queue', () => producer.ping().then(() => undefined)),
          ask('worker', async () => ((await producer.workers()) > 0 ? undefined : 'none is running')),
        ]);
        const failing = parts.filter((part) => !part.ok);
        if (failing.length > 0) {
          const words = failing.map((part) => `${part.name}: ${part.reason}`).join('; ');
          throw new Failure('unavailable', `Not ready. ${words}.`, {
            headers: { 'retry-after': '2' },
            details: failing.map((part) => ({ path: part.name, message: part.reason ?? '' })),
          });
        }
        return { ready: true, parts };
      },
    },
  );
}
