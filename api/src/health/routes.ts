import type { Readiness } from '@riskboard/contract';
import { health } from '@riskboard/contract/schemas';
import {
  backupProblem,
  type Database,
  readBackupStatus,
  readSchemaState,
  schemaWarning,
} from '@riskboard/db';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../lib/http/failure.ts';
import { serve } from '../lib/http/serve.ts';
import type { CheckParts } from './check-parts.ts';
import { shareRuns } from './share-runs.ts';

/** Milliseconds for which calls get one check: anyone may call, and a check uses connections that identify callers. */
const sharedForMs = 1000;

/** Monitors call these every few seconds: only errors are logged. */
export function healthRoutes(
  app: FastifyInstance,
  { database, checkParts }: { database: Database; checkParts: CheckParts },
): void {
  const check = shareRuns(sharedForMs, async () => {
    const parts = await checkParts();
    const isReady = parts.every(({ ok }) => ok);
    return { parts, warnings: isReady ? await findWarnings(database) : [] };
  });
  serve(
    app,
    { tag: 'health', table: health, logLevel: 'error' },
    {
      live: async () => ({ live: true as const }),

      async ready() {
        const { parts, warnings } = await check();
        const failing = parts.filter((part) => !part.ok);
        if (failing.length > 0) {
          const reasons = failing.map((part) => `${part.name}: ${part.reason}`).join('; ');
          throw new Failure('unavailable', `Not ready. ${reasons}.`, {
            headers: { 'retry-after': '2' },
            details: failing.map((part) => ({ path: part.name, message: part.reason ?? '' })),
          });
        }
        return warnings.length === 0 ? { ready: true, parts } : { ready: true, parts, warnings };
      },
    },
  );
}

async function findWarnings(database: Database): Promise<NonNullable<Readiness['warnings']>> {
  const ignored = (): undefined => undefined;
  const [backup, schema] = await Promise.all([
    readBackupStatus(database).then(backupProblem, ignored),
    readSchemaState(database).then(schemaWarning, ignored),
  ]);
  return [
    ...(backup === undefined ? [] : [{ name: 'backup' as const, reason: backup }]),
    ...(schema === undefined ? [] : [{ name: 'database' as const, reason: schema }]),
  ];
}
