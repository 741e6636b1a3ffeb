import { activity } from '@riskboard/contract';
import { withOrganization } from '@riskboard/db';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { recordActivity } from '../lib/activity.ts';
import { asDownload } from '../lib/as-download.ts';
import { serve } from '../lib/serve.ts';
import { activityCsv } from './export-activity.ts';
import { activityFacets } from './facets.ts';
import { listActivity } from './list-activity.ts';

export function activityRoutes(app: FastifyInstance, { database }: Deps): void {
  serve(
    app,
    { tag: 'activity', table: activity },
    {
      list: ({ query, caller }) =>
        withOrganization(database, caller.organizationId, (trx) => listActivity(trx, caller.role, query)),

      facets: ({ caller }) =>
        withOrganization(database, caller.organizationId, (trx) => activityFacets(trx, caller.role)),

      async export({ query, caller, reply }) {
        const { organizationId, role } = caller;
        // Whoever takes the log out of the house stands in it, before its first line goes out.
        await withOrganization(database, organizationId, (trx) =>
          recordActivity(trx, caller, {
            action: 'activity.exported',
            noun: 'organization',
            nounId: organizationId,
            detail: { filter: query },
          }),
        );
        const name = `activity-${new Date().toISOString().slice(0, 10)}.csv`;
        return asDownload(reply, name, 'text/csv; charset=utf-8').send(
          activityCsv(database, { organizationId, role, filter: query }),
        );
      },
    },
  );
}
