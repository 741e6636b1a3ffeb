import { formatCount } from '@riskboard/domain';
import { ChevronRight, CircleCheck } from 'lucide-react';
import type { Metrics } from '../../../lib/overview/metrics-query.ts';
import { PathLink } from '../../../ui/button/path-link.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { PendingItems } from './pending-items.tsx';

/** Share of all open vulnerabilities: '12%', '< 1%', '> 99%'. Only none of them are 0%, and all of them 100%. */
function shareText(count: number, all: number): string {
  const share = (count / all) * 100;
  if (share > 0 && share < 1) return '< 1%';
  if (share > 99 && share < 100) return '> 99%';
  return `${Math.round(share)}%`;
}

/** The open vulnerabilities, narrowed down to the urgent ones; each number opens its list. */
export function Funnel({ steps }: { steps: Metrics['funnel'] | undefined }) {
  const all = steps?.[0]?.count ?? 0;
  return (
    <Card title="From open to urgent" fill>
      {steps === undefined && <PendingItems />}
      {steps !== undefined && all === 0 && (
        <EmptyState icon={<CircleCheck aria-hidden size={20} />} title="No open vulnerabilities" />
      )}
      {steps !== undefined && all > 0 && (
        <ol className="flex grow flex-col divide-y">
          {steps.map(({ step, label, count, link }) => (
            <li key={step} className="relative flex grow flex-col justify-center px-4 py-4 hover:bg-hover">
              <p className="flex items-baseline justify-between gap-3">
                <span className="text-pretty">{label}</span>
                <span className="flex shrink-0 items-baseline gap-2">
                  <span className="text-sm text-muted tabular-nums">{shareText(count, all)}</span>
                  <PathLink
                    path={link}
                    className="flex min-h-6 min-w-6 items-center rounded text-lg font-semibold tabular-nums before:absolute before:inset-0 hover:underline"
                  >
                    {formatCount(count)}
                    <span className="sr-only">: {label}</span>
                    <ChevronRight aria-hidden size={16} className="text-muted" />
                  </PathLink>
                </span>
              </p>
              <div
                aria-hidden
                className="mt-2.5 h-3 forced-color-adjust-none overflow-hidden rounded-full bg-line"
              >
                <div className="h-full rounded-full bg-accent" style={{ width: `${(count / all) * 100}%` }} />
              </div>
            </li>
          ))}
        </ol>
      )}
      {steps !== undefined && all > 0 && (
        <p className="border-t px-4 py-2 text-xs text-muted">
          Each step is a part of the one before it; percent of all open vulnerabilities.
        </p>
      )}
    </Card>
  );
}
