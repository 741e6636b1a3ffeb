import type { Cwe } from '@riskboard/contract';
import { cwe } from '@riskboard/contract/schemas';
import { findCwe, keepCwe } from '@riskboard/db';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { Failure } from '../lib/http/failure.ts';
import { oneAtATime } from '../lib/one-at-a-time.ts';
import { serve } from '../lib/http/serve.ts';
import { mitreClient } from './mitre-client.ts';

/** Weaknesses from the catalogue, else from the CWE REST API (contract, CWE). */
export function cweRoutes(app: FastifyInstance, { database, config }: Deps): void {
  const fetchFromMitre = mitreClient({ url: config.cweApiUrl, log: app.log });

  const oneByOne = oneAtATime();

  /** One request at a time per number; a concurrent caller finds the stored entry. */
  const fetchAndStore = (id: number): Promise<Cwe | undefined> =>
    oneByOne(String(id), async () => {
      const stored = await findCwe(database, id);
      if (stored) return stored;
      const entry = await fetchFromMitre(id);
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
        const found =
          id === undefined ? undefined : ((await findCwe(database, id)) ?? (await fetchAndStore(id)));
        if (found === undefined) throw new Failure('not_found', `No details found for ${params.id}`);
        return found;
      },
    },
  );
}

/** The number of a CWE id in the forms 79, CWE-79, cwe79, ' 79 '; undefined for any other text. */
function cweNumber(text: string): number | undefined {
  const digits = /^\s*(?:cwe[-_: ]?)?0*([1-9]\d{0,6})\s*$/iu.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
