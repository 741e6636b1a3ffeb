import { assets } from '@riskboard/contract';
import { highLevel } from '@riskboard/domain';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Boxes, Flame, Lock, ShieldCheck, TriangleAlert } from 'lucide-react';
import { call } from '../../../lib/api/call.ts';
import { MetricCards, StatCard } from '../../../ui/layout/stat-card.tsx';

const assetMetricsQuery = queryOptions({
  queryKey: ['assets', 'metrics'],
  queryFn: ({ signal }) => call(assets.metrics, { signal }),
});

const to = '/dashboard/assets';
const high = 'Level 4 or more';

/** Spec 9, Asset metrics: high is level 4 or more. Each card leads to exactly the assets that it counts. */
export function AssetMetrics() {
  const query = useQuery(assetMetricsQuery);
  const { data } = query;
  return (
    <MetricCards label="Asset metrics" query={query}>
      <StatCard
        to={to}
        label="Total"
        value={data?.total}
        detail="Assets of all projects"
        icon={<Boxes aria-hidden size={16} />}
      />
      <StatCard
        to={to}
        search={{ status: ['at-risk'] }}
        label="At Risk"
        value={data?.atRisk}
        detail="Critical or score from 7"
        icon={<TriangleAlert aria-hidden size={16} />}
      />
      <StatCard
        to={to}
        search={{ criticalityMin: highLevel }}
        label="High Criticality"
        value={data?.criticality}
        detail={high}
        icon={<Flame aria-hidden size={16} />}
      />
      <StatCard
        to={to}
        search={{ confidentialityLevelMin: highLevel }}
        label="High Confidentiality"
        value={data?.confidentiality}
        detail={high}
        icon={<Lock aria-hidden size={16} />}
      />
      <StatCard
        to={to}
        search={{ integrityLevelMin: highLevel }}
        label="High Integrity"
        value={data?.integrity}
        detail={high}
        icon={<ShieldCheck aria-hidden size={16} />}
      />
    </MetricCards>
  );
}
