import { CircleCheck, Clock } from 'lucide-react';
import type { Metrics } from '../../../lib/overview/metrics-query.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { PathLink } from '../../../ui/button/path-link.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { PendingItems } from './pending-items.tsx';

const priorities = {
  high: { label: 'High priority', tone: 'danger' },
  medium: { label: 'Medium priority', tone: 'medium' },
  low: { label: 'Low priority', tone: 'neutral' },
} as const;

/** Suggestions with the time that they take; each opens its rows (spec 2, Overview cards). */
export function ActionableInsights({ insights }: { insights: Metrics['insights'] | undefined }) {
  return (
    <Card title="Actionable Insights" fill>
      {insights === undefined && <PendingItems />}
      {insights?.length === 0 && (
        <EmptyState
          icon={<CircleCheck aria-hidden size={20} />}
          title="No Action Items"
          description="Suggestions appear here when the numbers call for them."
        />
      )}
      {insights !== undefined && insights.length > 0 && (
        <ul className="flex grow flex-col divide-y">
          {insights.map(({ code, priority, title, description, time, link }) => (
            <li key={code} className="relative grow px-4 py-3 hover:bg-hover">
              <p className="flex items-start justify-between gap-3">
                <PathLink
                  path={link}
                  className="rounded font-medium before:absolute before:inset-0 hover:underline"
                >
                  {title}
                </PathLink>
                <Badge tone={priorities[priority].tone}>{priorities[priority].label}</Badge>
              </p>
              <p className="flex items-end justify-between gap-3 text-sm text-muted">
                <span className="text-pretty">{description}</span>
                <span className="flex shrink-0 items-center gap-1">
                  <Clock aria-hidden size={14} />
                  <span className="sr-only">Takes</span>
                  <span>{time}</span>
                </span>
              </p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
