import type { overview, OverviewExplanation } from '@riskboard/contract';
import { withOrganization, readOverviewState } from '@riskboard/db';
import { explainNumber } from '@riskboard/domain';
import type { Deps } from '../deps.ts';
import type { Context } from '../lib/http/serve.ts';

/** Formula and inputs of a number, calculated from the same totals as the number itself. */
export function explain(
  { database }: Pick<Deps, 'database'>,
  { caller, params: { metric } }: Context<typeof overview.explain>,
): Promise<OverviewExplanation> {
  return withOrganization(database, caller.organizationId, async (trx) => {
    const { totals, today, asOf } = await readOverviewState(trx);
    const { inputs, bands, ...explanation } = explainNumber(metric, totals, today);
    return { metric, ...explanation, inputs: [...inputs], bands: [...bands], asOf };
  });
}
