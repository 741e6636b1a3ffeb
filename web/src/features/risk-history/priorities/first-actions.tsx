import { plural } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import { ArrowDownRight, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { formatNumber } from '../../../lib/format/format.ts';
import { PathLink } from '../../../ui/button/path-link.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { Segmented } from '../../../ui/input/segmented.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { prioritiesQuery, type Priorities } from '../queries.ts';

/** Highest overall risk score (spec 9, Overview). */
const cap = 100;

const scopes = [
  { value: 'items', label: 'All changes' },
  { value: 'findings', label: 'Single findings' },
] as const;
type Scope = (typeof scopes)[number]['value'];

const explanations = {
  items: 'Groups of findings and single findings, the largest effect first.',
  findings: 'One vulnerability, threat or asset each, the largest effect first.',
} as const satisfies Record<Scope, string>;

/** The five changes that would lower the overall risk score most, each recomputed without its finding. */
export function FirstActions() {
  const { data, error, isFetching, refetch } = useQuery(prioritiesQuery);
  const [chosen, setScope] = useState<Scope>('items');
  const hasGroups =
    data?.items.some(({ code }) => !data.findings.some((finding) => finding.code === code)) ?? false;
  const scope = hasGroups ? chosen : 'findings';
  return (
    <Card
      title="What to do first"
      actions={hasGroups && <Segmented label="Changes" items={scopes} value={scope} onChange={setScope} />}
    >
      {data === undefined && error !== null ? (
        <ErrorState
          title="Failed to load the priorities."
          error={error}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <Content data={data} scope={scope} />
      )}
    </Card>
  );
}

function Content({ data, scope }: { data: Priorities | undefined; scope: Scope }) {
  if (data === undefined) {
    return (
      <div className="min-h-60 p-4">
        <Skeleton />
      </div>
    );
  }
  const { score, [scope]: actions } = data;
  if (actions.length === 0) {
    return (
      <EmptyState
        icon={<CircleCheck aria-hidden size={20} />}
        title="Nothing to do first"
        description="No threat, open vulnerability or asset at risk raises the overall risk score."
      />
    );
  }
  const isHidden = actions.some(({ delta, weighted }) => Math.abs(delta) < Math.abs(weighted) - rounding);
  return (
    <>
      {score === cap && isHidden && (
        <div className="px-4 pt-3">
          <Notice>
            The score is limited to {cap}. One change alone may not lower it yet; the points below count once
            the score falls under the limit.
          </Notice>
        </div>
      )}
      <p className="px-4 pt-3 text-sm text-muted">
        {explanations[scope]} Each score is calculated again without them.
      </p>
      <ol aria-label="Actions" className="mt-3 divide-y border-t">
        {actions.map((item, at) => (
          <Action key={item.code} item={item} score={score} number={at + 1} />
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
