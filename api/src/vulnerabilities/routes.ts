import { vulnerabilities } from '@riskboard/contract';
import { withOrganization } from '@riskboard/db';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { serve } from '../lib/serve.ts';
import { listVulnerabilities } from './queries.ts';

export function vulnerabilityRoutes(app: FastifyInstance, { database }: Deps): void {
  serve(
    app,
    { tag: 'vulnerabilities', table: vulnerabilities },
    {
      list: ({ query, caller }) =>
        withOrganization(database, caller.organizationId, async (trx) => {
          const { rows, ...page } = await listVulnerabilities(trx, query, false);
          return { vulnerabilities: rows, ...page };
        }),

      fromReports: ({ query, caller }) =>
        withOrganization(database, caller.organizationId, async (trx) => {
          const { rows, ...page } = await listVulnerabilities(trx, query, true);
          return { items: rows, ...page };
        }),
    },
  );
}
