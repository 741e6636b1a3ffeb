import { activity } from '@riskboard/contract/schemas';
import { activitySource, withOrganization } from '@riskboard/db';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { recordActivity } from '../lib/activity/record-activity.ts';
import { exportedColumns, sendExport } from '../lib/list-export.ts';
import { serve } from '../lib/http/serve.ts';
import { countFacets } from '../lib/list-facets.ts';
import { activityFacets, listActivity } from './list-activity.ts';
import { type EntryRow, presentEntry } from './present.ts';

export function activityRoutes(app: FastifyInstance, { database }: Deps): void {
  serve(
    app,
    { tag: 'activity', table: activity },
    {
      list: ({ query, caller }) =>
        withOrganization(database, caller.organizationId, (trx) => listActivity(trx, caller.role, query)),

      facets: ({ query, caller }) =>
        countFacets(database, { ...caller, field: query.field }, (trx) =>
          activityFacets(trx, caller.role, query),
        ),

      async export({ query, caller, reply }) {
        const { organizationId, role } = caller;
        const { format, sort: _sort, columns: _columns, ...filter } = query;
        const source = activitySource(role);
        // A refused export is not recorded; another one is, before its first line is sent.
        exportedColumns({ source, query });
        await withOrganization(database, organizationId, (trx) =>
          recordActivity(trx, caller, {
            action: 'activity.exported',
            nounId: organizationId,
            detail: { filter, format },
          }),
        );
        return sendExport<EntryRow>(reply, database, {
          organizationId,
          source,
          query,
          present: (row) => ({ ...presentEntry(row) }),
          name: `activity-${new Date().toISOString().slice(0, 10)}`,
        });
      },
    },
  );
}
