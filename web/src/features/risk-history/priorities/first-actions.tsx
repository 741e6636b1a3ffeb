import { plural } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import { ArrowDownRight, CircleCheck } from 'lucide-react';
import { formatNumber } from '../../../lib/format/format.ts';
import { PathLink } from '../../../ui/button/path-link.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { prioritiesQuery, type Priorities } from '../queries.ts';

/** Highest overall risk score (spec 9, Overview). */
const cap = 100;

/** The five changes that would lower the overall risk score most, each recomputed without its finding. */
export function FirstActions() {
  const { data, error, isFetching, refetch } = useQuery(prioritiesQuery);
  return (
    <Card title="What to do first">
      {data === undefined && error !== null ? (
        <ErrorState
          title="Failed to load the priorities."
          error={error}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <Content data={data} />
      )}
    </Card>
  );
}

function Content({ data }: { data: Priorities | undefined }) {
  if (data === undefined) {
    return (
      <div className="min-h-60 p-4">
        <Skeleton />
      </div>
    );
  }
  if (data.items.length === 0) {
    return (
      <EmptyState
        icon={<CircleCheck aria-hidden size={20} />}
        title="Nothing to do first"
        description="No threat, open vulnerability or asset at risk raises the overall risk score."
      />
    );
  }
  const isHidden = data.items.some(({ delta, weighted }) => Math.abs(delta) < Math.abs(weighted) - rounding);
  return (
    <>
      {data.score === cap && isHidden && (
        <div className="px-4 pt-3">
          <Notice>
            The score is limited to {cap}. One change alone may not lower it yet; the points below count once
            the score falls under the limit.
          </Notice>
        </div>
      )}
      <ol aria-label="Actions" className="divide-y">
        {data.items.map((item, at) => (
          <Action key={item.code} item={item} score={data.score} number={at + 1} />
        ))}
      </ol>
    </>
  );
}

/** A score is rounded to whole points. */
const rounding = 1;

interface ActionProps {
  item: Priorities['items'][number];
  /** The overall risk score of now. */
  score: number;
  number: number;
}

function Action({
  item: { title, description, scoreAfter, delta, weighted, link },
  score,
  number,
}: ActionProps) {
  return (
    <li className="grid grid-cols-[20px_minmax(0,1fr)_max-content] items-start gap-x-3 px-4 py-3">
      <span aria-hidden className="pt-0.5 text-sm text-muted tabular-nums">
        {number}
      </span>
      <div className="min-w-0">
        <PathLink path={link} className="rounded font-medium break-words hover:underline">
          {title}
        </PathLink>
        <p className="text-sm text-muted">{description}</p>
      </div>
      <p className="text-right text-sm tabular-nums">
        {delta === 0 ? (
          <span className="block text-muted">Score stays {formatNumber(score)}</span>
        ) : (
          <span className="flex items-center justify-end gap-1 font-medium text-success">
            <ArrowDownRight aria-hidden size={16} />
            {formatNumber(score)} → {formatNumber(scoreAfter)}
            <span className="sr-only">, lower by {formatNumber(-delta)}</span>
          </span>
        )}
        <span className="block text-xs text-muted">{pointsText(weighted)}</span>
      </p>
    </li>
  );
}

/** '−4.5 points' before rounding and limit. */
function pointsText(weighted: number): string {
  const points = Math.abs(weighted);
  return `−${Number.isInteger(points) ? plural(points, 'point') : `${formatNumber(points)} points`}`;
}
