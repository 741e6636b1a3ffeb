import type { Cwe } from '@riskboard/contract';
import { cwe } from '@riskboard/contract/schemas';
import { findCwe, keepCwe } from '@riskboard/db';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { Failure } from '../lib/http/failure.ts';
import { oneAtATime } from '../lib/one-at-a-time.ts';
import { serve } from '../lib/http/serve.ts';
import { mitre } from './ask-mitre.ts';
import { cweNumber } from './number.ts';

/** Weaknesses: from the catalogue, and what it lacks from the CWE REST API (contract, CWE). */
export function cweRoutes(app: FastifyInstance, { database, config }: Deps): void {
  const ask = mitre({ url: config.cweApiUrl, log: app.log });

  const oneByOne = oneAtATime();

  /** One question at a time for one number; who comes while it is asked finds what was kept. */
  const fromAfar = (id: number): Promise<Cwe | undefined> =>
    oneByOne(String(id), async () => {
      const kept = await findCwe(database, id);
      if (kept) return kept;
      const entry = await ask(id);
      if (entry === undefined) return undefined;
      await keepCwe(database, entry);
      return findCwe(database, id);
    });

  serve(
    app,
    { tag: 'cwe', table: cwe },
    {
      async get({ params }) {
        const id = cweNumber(params.id);
        const found = id === undefined ? undefined : ((await findCwe(database, id)) ?? (await fromAfar(id)));
        if (found === undefined) throw new Failure('not_found', `No details found for ${params.id}`);
        return found;
      },
    },
  );
}
