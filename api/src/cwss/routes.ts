import { changedEvent } from '@riskboard/contract';
import { cwss } from '@riskboard/contract/schemas';
import { type OrganizationTransaction, withOrganization } from '@riskboard/db';
import { parseCwssVector, scoreCwss } from '@riskboard/domain';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { invalidField } from '../lib/http/failure.ts';
import { serve } from '../lib/http/serve.ts';
import { afterCommit } from '../lib/publish.ts';
import type { Caller } from '../lib/security/caller.ts';
import { calculateMany, calculateOne } from './calculate.ts';
import { explainScore } from './explanation.ts';
import { setFactors } from './factors.ts';
import { previewScore } from './preview.ts';

/** Scores of CWSS vectors, and the CWSS scores of vulnerabilities. */
export function cwssRoutes(app: FastifyInstance, deps: Deps): void {
  const services = { deps, after: afterCommit(deps, app.log) };
  const inside = <T>(caller: Caller, work: (trx: OrganizationTransaction) => Promise<T>) =>
    withOrganization(deps.database, caller.organizationId, work);

  serve(
    app,
    { tag: 'cwss', table: cwss },
    {
      calculate: (context) => calculateOne(services, context),
      calculateMany: (context) => calculateMany(services, context),
      explanation: ({ params, query, caller }) =>
        inside(caller, (trx) => explainScore(trx, { ...params, ...query })),
      preview: ({ params, query, caller }) =>
        inside(caller, (trx) => previewScore(trx, { ...params, ...query })),
      async setFactors({ params, body, caller }) {
        const id = params.id.toLowerCase();
        const { isChanged, reply } = await inside(caller, (trx) =>
          setFactors(trx, caller, { id, changes: body }),
        );
        const by = { action: 'updated', by: caller.accountId } as const;
        if (isChanged)
          await services.after.events(caller.organizationId, [
            changedEvent('vulnerability.changed', by, [id]),
          ]);
        return reply;
      },
      async score({ body }) {
        const read = parseCwssVector(body.vector);
        if (!read.ok) throw invalidField('vector', read.message);
        const { choices, vector, warnings } = read;
        return { ...scoreCwss(choices), vector, warnings: [...warnings] };
      },
    },
  );
}
