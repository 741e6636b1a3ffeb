import { threats } from '@riskboard/contract';
import { formatCount, riskLevelCardBounds } from '@riskboard/domain';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Activity, Flame, ShieldAlert, TriangleAlert } from 'lucide-react';
import { call } from '../../../lib/api/call.ts';
import { MetricCards, StatCard } from '../../../ui/layout/stat-card.tsx';

const threatMetricsQuery = queryOptions({
  queryKey: ['threats', 'metrics'],
  queryFn: ({ signal }) => call(threats.metrics, { signal }),
});

const to = '/dashboard/threats';
const { critical, high } = riskLevelCardBounds;

/** Each card leads to exactly the threats that it counts. */
export function ThreatMetrics() {
  const query = useQuery(threatMetricsQuery);
  const { data } = query;
  return (
    <MetricCards label="Threat metrics" query={query}>
      <StatCard
        to={to}
        label="Total"
        value={data?.total}
        detail="Threats of all kinds"
        icon={<ShieldAlert aria-hidden size={16} />}
      />
      <StatCard
        to={to}
        search={{ isActive: ['true'] }}
        label="Active"
        value={data?.active}
        detail={data && `${formatCount(data.total - data.active)} inactive`}
        icon={<Activity aria-hidden size={16} />}
      />
      <StatCard
        to={to}
        search={{ riskLevelAbove: critical }}
        label="Critical Risk"
        value={data?.critical}
        detail={`Risk level above ${critical}`}
        icon={<Flame aria-hidden size={16} />}
      />
      <StatCard
        to={to}
        search={{ riskLevelAbove: high, riskLevelMax: critical }}
        label="High Risk"
        value={data?.high}
        detail={`Risk level above ${high}, up to ${critical}`}
        icon={<TriangleAlert aria-hidden size={16} />}
      />
    </MetricCards>
  );
}
