import { formatCount } from '@riskboard/domain';
import { CircleCheck, OctagonAlert, TriangleAlert, Info } from 'lucide-react';
import type { Metrics } from '../../../lib/overview/metrics-query.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { PathLink } from '../../../ui/button/path-link.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { PendingItems } from './pending-items.tsx';

const looks = {
  critical: { label: 'Critical', Icon: OctagonAlert },
  high: { label: 'High', Icon: TriangleAlert },
  medium: { label: 'Medium', Icon: Info },
} as const;

/** What needs attention at once; each alert opens its rows (spec 2, Overview cards). */
export function CriticalAlerts({ alerts }: { alerts: Metrics['alerts'] | undefined }) {
  return (
    <Card title="Critical Alerts" fill>
      {alerts === undefined && <PendingItems />}
      {alerts?.length === 0 && (
        <EmptyState
          icon={<CircleCheck aria-hidden size={20} />}
          title="No Critical Alerts"
          description="No critical vulnerability, asset at risk or high threat is open."
        />
      )}
      {alerts !== undefined && alerts.length > 0 && (
        <ul className="flex grow flex-col divide-y">
          {alerts.map(({ code, severity, title, description, count, link }) => {
            const { label, Icon } = looks[severity];
            return (
              <li key={code} className="relative flex grow items-start gap-3 px-4 py-3 hover:bg-hover">
                <div className="min-w-0 grow">
                  <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
                    <PathLink
                      path={link}
                      className="rounded font-medium before:absolute before:inset-0 hover:underline"
                    >
                      {title}
                    </PathLink>
                    <Badge tone={severity} icon={<Icon aria-hidden size={12} />}>
                      {label}
                    </Badge>
                  </p>
                  <p className="text-sm text-pretty text-muted">{description}</p>
                </div>
                <span className="text-lg font-semibold tabular-nums">{formatCount(count)}</span>
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
}
