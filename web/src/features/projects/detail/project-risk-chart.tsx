import type { Project } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { BarChartCard } from '../../../ui/chart/bar-chart-card.tsx';
import { countAxis, type Bar } from '../../../ui/chart/bar-chart.ts';

const columns = ['Kind', 'Count'] as const;
/** The counts come with the project. */
const loaded = { error: null, isFetching: false, refetch: () => undefined };

/** The project risk bar chart (spec 2, Metric cards): counts of assets, threats and vulnerabilities. */
export function ProjectRiskChart({ detail }: { detail: Project }) {
  const { assets, threats, vulnerabilities } = detail;
  const bars: Bar[] = [
    { label: 'Assets', value: assets, color: 'accent', text: formatCount(assets) },
    { label: 'Threats', value: threats, color: 'accent', text: formatCount(threats) },
    { label: 'Vulnerabilities', value: vulnerabilities, color: 'accent', text: formatCount(vulnerabilities) },
  ];
  const isEmpty = assets + threats + vulnerabilities === 0;
  return (
    <BarChartCard
      label="Project risk"
      bars={bars}
      axis={countAxis([assets, threats, vulnerabilities])}
      columns={columns}
      query={loaded}
      height={200}
      {...(isEmpty && {
        empty: <p className="p-4 text-center text-sm text-muted">This project has no assets yet.</p>,
      })}
    />
  );
}
