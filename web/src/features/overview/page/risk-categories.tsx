import { costText, formatCount } from '@riskboard/domain';
import type { overview, Reply } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { ChartPie } from 'lucide-react';
import { formatNumber } from '../../../lib/format/format.ts';
import { PathLink } from '../../../ui/button/path-link.tsx';
import { ChartFailed } from '../../../ui/chart/drawing.tsx';
import { RadialChart } from '../../../ui/chart/radial-chart.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { ExplainedNumber, type Explain } from './explained-number.tsx';
import { riskCategoriesQuery } from './queries.ts';

type Categories = Reply<(typeof overview)['riskCategories']>;

/** Mean severity of the categories with the most risk (spec 2, Risk Categories). */
export function RiskCategories({ explain }: { explain: Explain }) {
  const { data, error, isFetching, refetch } = useQuery(riskCategoriesQuery);
  return (
    <Card title="Risk Categories">
      <div className="flex min-h-105 flex-col">
        {data === undefined && error !== null && (
          <div className="my-auto">
            <ChartFailed error={error} busy={isFetching} onRetry={() => void refetch()} />
          </div>
        )}
        {data === undefined && error === null && <Pending />}
        {data !== undefined && <Content data={data} explain={explain} />}
      </div>
    </Card>
  );
}

function Pending() {
  return (
    <div aria-busy className="flex grow flex-col items-center justify-center">
      <div aria-hidden className="size-44 animate-pulse rounded-full border-16 border-line" />
    </div>
  );
}

function Content({ data, explain }: { data: Categories; explain: Explain }) {
  const { categories, estimatedImpact, lastSynced } = data;
  return (
    <>
      {categories.length === 0 ? (
        <div className="my-auto">
          <EmptyState
            icon={<ChartPie aria-hidden size={20} />}
            title="No categories yet"
            description="The chart needs an open vulnerability with a category and a severity."
          />
        </div>
      ) : (
        <>
          <div className="pt-3">
            <RadialChart
              label={`Risk categories: ${categories.map(({ name, value }) => `${name} ${formatNumber(value)}%`).join('; ')}`}
              arcs={categories}
            />
          </div>
          <table aria-label="Risk Categories" className="mx-4 mb-3 text-sm">
            <thead className="text-xs text-muted">
              <tr>
                <th scope="col" className="py-1 text-left font-medium">
                  Category, outermost first
                </th>
                <th scope="col" className="py-1 text-right font-medium">
                  Severity
                </th>
                <th scope="col" className="py-1 text-right font-medium">
                  Open
                </th>
              </tr>
            </thead>
            <tbody>
              {categories.map(({ name, value, color, count, link }) => (
                <tr key={name} className="border-t">
                  <th scope="row" className="py-1.5 text-left font-normal">
                    <span className="flex items-center gap-2">
                      <span
                        aria-hidden
                        className="size-2.5 shrink-0 rounded-full"
                        style={{ backgroundColor: color }}
                      />
                      {name}
                    </span>
                  </th>
                  <td className="py-1.5 text-right font-medium tabular-nums">{value.toFixed(1)}%</td>
                  <td className="w-16 py-1.5 text-right tabular-nums">
                    <PathLink path={link}>
                      {formatCount(count)}
                      <span className="sr-only"> open in {name}</span>
                    </PathLink>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="px-4 pb-3 text-xs text-muted">
            Severity: the mean of the open vulnerabilities with a severity, in percent of 10.
          </p>
        </>
      )}
      <dl className="mt-auto flex flex-wrap justify-between gap-x-4 gap-y-1 border-t px-4 py-3 text-sm">
        <div>
          <dt className="text-muted">Estimated impact</dt>
          <dd>
            <ExplainedNumber
              metric="estimatedImpact"
              label="Estimated impact"
              text={costText(estimatedImpact)}
              explain={explain}
              className="text-lg font-semibold"
            />
          </dd>
        </div>
        <div className="text-right">
          <dt className="text-muted">Last synced</dt>
          <dd className="min-h-6">
            <Time value={lastSynced} />
            <p className="text-xs text-muted">Last full recount; the numbers are live.</p>
          </dd>
        </div>
      </dl>
    </>
  );
}
