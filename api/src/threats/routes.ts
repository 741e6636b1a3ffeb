import { threats } from '@riskboard/contract';
import { withOrganization } from '@riskboard/db';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { serve } from '../lib/serve.ts';
import { listThreats } from './queries.ts';

export function threatRoutes(app: FastifyInstance, { database }: Deps): void {
  serve(
    app,
    { tag: 'threats', table: threats },
    {
      list: ({ query, caller }) =>
        withOrganization(database, caller.organizationId, (trx) => listThreats(trx, query)),
    },
  );
}
