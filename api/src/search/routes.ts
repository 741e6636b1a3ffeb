import { searchNouns } from '@riskboard/contract';
import { search } from '@riskboard/contract/schemas';
import { type FoundRecords, searchRecords, withOrganization } from '@riskboard/db';
import { searchIds } from '@riskboard/domain';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { serve } from '../lib/http/serve.ts';

const presentItem = ({ id, title, subtitle }: FoundRecords['items'][number]) => ({
  _id: id,
  title,
  subtitle,
});

export function searchRoutes(app: FastifyInstance, { database }: Deps): void {
  serve(
    app,
    { tag: 'search', table: search },
    {
      everywhere: ({ query, caller }) =>
        withOrganization(database, caller.organizationId, async (trx) => {
          const wanted = { text: query.q, ids: searchIds(query.q) };
          const found = [];
          for (const noun of searchNouns) found.push({ noun, ...(await searchRecords(trx, noun, wanted)) });
          const groups = found
            .filter(({ total }) => total > 0)
            .toSorted((a, b) => a.rank - b.rank)
            .map(({ rank: _rank, items, ...group }) => ({ ...group, items: items.map(presentItem) }));
          return { groups };
        }),
    },
  );
}
