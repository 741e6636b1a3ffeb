import type { ReportWarning } from '@riskboard/contract';
import { TriangleAlert } from 'lucide-react';
import { formatCount } from '../../lib/format/format.ts';
import { Card } from '../../ui/layout/card.tsx';

/** What the parse put right or passed over, how often, and where it was seen first. */
export function WarningsCard({ warnings }: { warnings: readonly ReportWarning[] }) {
  if (warnings.length === 0) return null;
  return (
    <Card title="Warnings">
      <ul className="divide-y">
        {warnings.map(({ code, message, place, count }) => (
          <li key={code + message} className="flex items-start gap-3 px-4 py-2.5">
            <TriangleAlert aria-hidden size={16} className="mt-0.5 shrink-0 text-warning" />
            <div className="min-w-0 grow">
              <p>{message}</p>
              {place !== undefined && (
                <p className="text-xs text-muted">
                  First at <code className="font-mono break-all">{place}</code>
                </p>
              )}
            </div>
            <span className="shrink-0 text-sm text-muted tabular-nums">
              {formatCount(count)}
              <span aria-hidden>×</span>
              <span className="sr-only"> times</span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
