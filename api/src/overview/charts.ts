import type { ExposureTrend, RiskCategories } from '@riskboard/contract';
import { type OrganizationTransaction, readRecomputedAt, readOverviewState } from '@riskboard/db';
import { estimatedImpact, exposureTrend, overviewLinks, riskCategories } from '@riskboard/domain';

/** Each category links to its open vulnerabilities with a severity. */
export async function overviewCategories(trx: OrganizationTransaction): Promise<RiskCategories> {
  const { totals } = await readOverviewState(trx);
  const recomputedAt = await readRecomputedAt(trx);
  return {
    estimatedImpact: estimatedImpact(totals),
    lastSynced: recomputedAt?.toISOString() ?? null,
    categories: riskCategories(totals).map(({ id, ...category }) => ({
      ...category,
      link: `${overviewLinks.open}&categoryId=${id}&severityMin=0`,
    })),
  };
}

/** The mean severity at the end of each of the last 12 months. */
export async function overviewTrend(trx: OrganizationTransaction): Promise<ExposureTrend> {
  const { totals, today } = await readOverviewState(trx, 'all');
  return exposureTrend(totals, today);
}
