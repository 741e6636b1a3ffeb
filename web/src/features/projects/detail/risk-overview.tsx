import type { ProjectRisk } from '@riskboard/contract';
import { notAvailable } from '@riskboard/contract';
import { assetRiskBands, formatCount, riskBands, severityBands } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { pagesOf } from '../../../lib/entity/entity.ts';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { projectRiskQuery } from '../queries.ts';

const fills = {
  critical: 'bg-graph-critical',
  high: 'bg-graph-high',
  danger: 'bg-graph-red',
  medium: 'bg-graph-amber',
  low: 'bg-graph-low',
  none: 'bg-graph-unknown',
} as const;

interface Line {
  label: string;
  fill: keyof typeof fills;
  count: number;
  /** Filter of the list that shows exactly the counted records. */
  search: Readonly<Record<string, unknown>>;
}

interface Group {
  title: string;
  to: string;
  lines: readonly Line[];
}

const healths = [
  { health: 'Critical', fill: 'danger' },
  { health: 'Warning', fill: 'medium' },
  { health: 'Healthy', fill: 'low' },
] as const;

const bandFills = { high: 'danger', medium: 'medium', low: 'low' } as const;

/** Range of scores in a band: scores have one decimal. */
function scoreRange(index: number) {
  const above = assetRiskBands[index - 1]?.from;
  const from = assetRiskBands[index]?.from;
  return {
    ...(from !== undefined && from > 0 && { riskScoreMin: from }),
    ...(above !== undefined && { riskScoreMax: Math.round((above - 0.1) * 10) / 10 }),
  };
}

/** The counts by group, each with the list that has them. */
function groupsOf(id: string, { assets, vulnerabilities, threats }: ProjectRisk): Group[] {
  const withoutValue = (count: number, label: string, search: Line['search']): Line[] =>
    count === 0 ? [] : [{ label, fill: 'none', count, search }];
  return [
    {
      title: 'Assets by health',
      to: pagesOf('assets').list,
      lines: healths.map(({ health, fill }) => ({
        label: health,
        fill,
        count: assets.byHealth[health],
        search: { projectId: [id], health: [health] },
      })),
    },
    {
      title: 'Assets by risk score',
      to: pagesOf('assets').list,
      lines: assetRiskBands.map(({ value, label }, n) => ({
        label,
        fill: bandFills[value],
        count: assets.byScore[value],
        search: { projectId: [id], ...scoreRange(n) },
      })),
    },
    {
      title: 'Open vulnerabilities by severity',
      to: pagesOf('vulnerabilities').list,
      lines: [
        ...severityBands.map(({ value, label }): Line => ({
          label,
          fill: value,
          count: vulnerabilities.bySeverity[value],
          search: { projectId: id, status: ['open'], severity: [value] },
        })),
        ...withoutValue(vulnerabilities.bySeverity.none, 'No severity', {
          projectId: id,
          status: ['open'],
          severity: [notAvailable],
        }),
      ],
    },
    {
      title: 'Threats by risk',
      to: pagesOf('threats').list,
      lines: [
        ...riskBands.map(({ value, label }): Line => ({
          label,
          fill: bandFills[value],
          count: threats.byRisk[value],
          search: { projectId: id, risk: [value] },
        })),
        ...withoutValue(threats.byRisk.none, 'Not assessed', { projectId: id, risk: [notAvailable] }),
      ],
    },
  ];
}

/** What is at risk in a project (spec 2, Project detail: Risk Overview); every number opens the list that it counts. */
export function RiskOverview({ id }: { id: string }) {
  const query = useQuery(projectRiskQuery(id));
  const { data, error } = query;
  return (
    <Card title="Risk Overview">
      {data === undefined && error !== null ? (
        <ErrorState
          title="Failed to load metrics"
          error={error}
          busy={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <div className="grid min-h-64 gap-px bg-line sm:grid-cols-2">
          {data === undefined
            ? ['40%', '50%', '60%', '35%'].map((width) => (
                <div key={width} className="min-h-32 bg-surface p-4">
                  <Skeleton width={width} />
                </div>
              ))
            : groupsOf(id, data).map((group) => <RiskGroup key={group.title} group={group} />)}
        </div>
      )}
    </Card>
  );
}

function RiskGroup({ group: { title, to, lines } }: { group: Group }) {
  const total = lines.reduce((sum, { count }) => sum + count, 0);
  return (
    <section aria-label={title} className="min-h-32 bg-surface px-4 py-3">
      <h3 className="mb-1 flex justify-between gap-3 text-sm text-muted">
        {title}
        <span className="tabular-nums">{formatCount(total)}</span>
      </h3>
      <ul>
        {lines.map(({ label, fill, count, search }) => (
          <li key={label}>
            <Link
              to={to}
              search={search}
              className="group -mx-1 grid min-h-7 grid-cols-[104px_minmax(0,1fr)_max-content] items-center gap-3 rounded px-1 text-sm hover:bg-hover"
            >
              <span className="flex items-center gap-2 truncate">
                <span aria-hidden className={`size-2 shrink-0 rounded-full ${fills[fill]}`} />
                {label}
              </span>
              <span
                aria-hidden
                className="h-1.5 forced-color-adjust-none overflow-hidden rounded-full bg-hover"
              >
                <span
                  className={`block h-full rounded-full ${fills[fill]}`}
                  style={{ width: `${total === 0 ? 0 : (count / total) * 100}%` }}
                />
              </span>
              <span className="min-w-8 text-right font-medium tabular-nums group-hover:underline">
                {formatCount(count)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
