import { changedEvent, type Cwe } from '@riskboard/contract';
import { cwe } from '@riskboard/contract/schemas';
import { facetsOf, findCwe, keepCwe, weaknessSource, withOrganization } from '@riskboard/db';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { acceptJob } from '../lib/accept-job.ts';
import { Failure } from '../lib/http/failure.ts';
import { serve } from '../lib/http/serve.ts';
import { sendExport } from '../lib/list-export.ts';
import { countFacets } from '../lib/list-facets.ts';
import { showPage } from '../lib/list.ts';
import { oneAtATime } from '../lib/one-at-a-time.ts';
import { afterCommit } from '../lib/publish.ts';
import type { Caller } from '../lib/security/caller.ts';
import { chooseCatalogue, queueRefresh, showCatalogue } from './catalogue.ts';
import { mitreClient } from './mitre-client.ts';
import { presentWeakness, type WeaknessRow } from './present.ts';
import { uploadCatalogue } from './upload.ts';

/** Weaknesses from the catalogue of the organization, else from the CWE REST API (contract, CWE). */
export function cweRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, config } = deps;
  const after = afterCommit(deps, app.log);
  const fetchFromMitre = mitreClient({ url: config.cweApiUrl, log: app.log });
  const canRefresh = config.cweApiUrl !== undefined && config.cweApiUrl !== '';

  const oneByOne = oneAtATime();

  const find = ({ organizationId }: Caller, id: number): Promise<Cwe | undefined> =>
    withOrganization(database, organizationId, (trx) => findCwe(trx, id));

  /** One request at a time per number; a concurrent caller finds the stored entry. */
  const fetchAndStore = (caller: Caller, id: number): Promise<Cwe | undefined> =>
    oneByOne(String(id), async () => {
      const stored = await find(caller, id);
      if (stored) return stored;
      const entry = await fetchFromMitre(id);
      if (entry === undefined) return undefined;
      await keepCwe(database, entry);
      return find(caller, id);
    });

  const show = (caller: Caller) =>
    withOrganization(database, caller.organizationId, (trx) => showCatalogue(trx, canRefresh));

  /** Publishes a change of the catalogue, then replies with the catalogue in use. */
  async function showChanged(caller: Caller, changed: Awaited<ReturnType<typeof chooseCatalogue>>) {
    const by = caller.accountId;
    if (changed)
      await after.events(caller.organizationId, [
        changedEvent('catalogue.changed', { action: 'changed', by }, 1),
        ...(isNone(changed.stale)
          ? []
          : [changedEvent('vulnerability.changed', { action: 'changed', by }, changed.stale)]),
      ]);
    return show(caller);
  }

  serve(
    app,
    { tag: 'cwe', table: cwe },
    {
      list: ({ query, caller }) =>
        withOrganization(database, caller.organizationId, async (trx) => {
          const { rows, ...page } = await showPage(trx, weaknessSource, { query, present: presentWeakness });
          return { items: rows, ...page };
        }),

      facets: ({ query, caller }) =>
        countFacets(database, { ...caller, field: query.field }, (trx) =>
          facetsOf(trx, weaknessSource, query),
        ),

      export: async ({ query, caller, reply }) =>
        sendExport<WeaknessRow>(reply, database, {
          organizationId: caller.organizationId,
          source: weaknessSource,
          query,
          present: presentWeakness,
          name: 'weaknesses',
        }),

      catalogue: ({ caller }) => show(caller),

      choose: async ({ body, caller }) =>
        showChanged(
          caller,
          await withOrganization(database, caller.organizationId, (trx) =>
            chooseCatalogue(trx, caller, body.version),
          ),
        ),

      async refresh({ caller, request, reply }) {
        if (!canRefresh)
          throw new Failure(
            'conflict',
            'This instance does not request catalogues from MITRE. Upload a catalogue instead.',
          );
        const job = await withOrganization(database, caller.organizationId, (trx) =>
          queueRefresh(trx, caller),
        );
        return acceptJob(
          { deps, after },
          {
            request,
            reply,
            job,
            kind: 'cwe.refresh',
            message: 'Fetching the weakness catalogue from MITRE.',
            done: (result) => ({ result, message: `Version ${result.version} of the catalogue is in use.` }),
          },
        );
      },

      upload: async ({ caller, request }) =>
        showChanged(caller, await uploadCatalogue(database, caller, request)),

      async get({ params, caller }) {
        const id = cweNumber(params.id);
        const found =
          id === undefined ? undefined : ((await find(caller, id)) ?? (await fetchAndStore(caller, id)));
        if (found === undefined) throw new Failure('not_found', `No details found for ${params.id}`);
        return found;
      },
    },
  );
}

const isNone = (rows: readonly string[] | number): boolean =>
  rows === 0 || (typeof rows !== 'number' && rows.length === 0);

/** The number of a CWE id in the forms 79, CWE-79, cwe79, ' 79 '; undefined for any other text. */
function cweNumber(text: string): number | undefined {
  const digits = /^\s*(?:cwe[-_: ]?)?0*([1-9]\d{0,6})\s*$/iu.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
