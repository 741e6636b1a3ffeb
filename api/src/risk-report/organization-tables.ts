import type { OverviewMetric, OverviewMetrics } from '@riskboard/contract';
import type { OrganizationTransaction } from '@riskboard/db';
import { addDays, formatDay } from '@riskboard/domain';
import { overviewCategories, overviewTrend } from '../overview/charts.ts';
import { overviewChanges } from '../overview/changes.ts';
import { overviewPriorities } from '../overview/priorities.ts';
import type { Cell, ReportTable } from './report.ts';

/** Days that the table of causes looks back. */
const causesDays = 30;

function numberTable(metrics: OverviewMetrics): ReportTable {
  const changeOf = ({ change, changeType }: OverviewMetric): Cell => {
    if (metrics.comparedWith === null) return null;
    return changeType === 'decrease' ? -change : change;
  };
  const row = (name: string, metric: OverviewMetric, unit: string | null = null) => ({
    name,
    unit,
    value: Math.round(metric.value * 10) / 10,
    change: changeOf(metric),
  });
  return {
    name: 'numbers',
    title: 'Numbers',
    note:
      metrics.comparedWith === null
        ? 'There is no earlier recorded day to compare with.'
        : `Changes against the end of ${formatDay(metrics.comparedWith)} (UTC).`,
    columns: [
      { key: 'name', label: 'Number' },
      { key: 'value', label: 'Value', isNumber: true, hasUnit: true },
      { key: 'change', label: 'Change (%)', isNumber: true, isSigned: true },
    ],
    rows: [
      row(`Overall Risk Score (${metrics.overallRisk.band})`, metrics.overallRisk),
      row('Total Threats', metrics.totalThreats),
      row('Active Threats', metrics.activeThreats),
      row('Open Vulnerabilities', metrics.openVulnerabilities),
      row('New Vulnerabilities', metrics.newVulnerabilities),
      row('Assets at Risk', metrics.assetsAtRisk),
      row('Remediation Rate', metrics.remediationRate, '%'),
    ],
    empty: '',
  };
}

const funnelTable = ({ funnel }: OverviewMetrics): ReportTable => ({
  name: 'funnel',
  title: 'From all open vulnerabilities to the most urgent ones',
  note: 'Each row is a part of the row above it.',
  columns: [
    { key: 'label', label: 'Vulnerabilities' },
    { key: 'count', label: 'Number', isNumber: true },
  ],
  rows: funnel.map(({ label, count }) => ({ label, count })),
  empty: '',
});

async function categoryTable(trx: OrganizationTransaction): Promise<ReportTable> {
  const { categories, estimatedImpact } = await overviewCategories(trx);
  return {
    name: 'categories',
    title: 'Risk categories',
    note: `Mean severity of open vulnerabilities times 10, the four categories with the largest sum. Replacement and recovery costs of the assets at risk: ${estimatedImpact.toLocaleString('en-US')} USD.`,
    columns: [
      { key: 'name', label: 'Category', wraps: true },
      { key: 'value', label: 'Value (0-100)', isNumber: true },
      { key: 'count', label: 'Open vulnerabilities', isNumber: true },
    ],
    rows: categories.map(({ name, value, count }) => ({ name, value, count })),
    empty: 'The table needs an open vulnerability with a category and a severity.',
  };
}

async function exposureTable(trx: OrganizationTransaction): Promise<ReportTable> {
  const points = await overviewTrend(trx);
  return {
    name: 'exposure',
    title: 'Risk exposure trend',
    note: 'Mean severity (0-10) of the vulnerabilities that had one and were open at the end of each month. Past months are recalculated with the discovery and fix dates known today.',
    columns: [
      { key: 'date', label: 'End of month', isDay: true },
      { key: 'severity', label: 'Mean severity', isNumber: true, digits: 1 },
      { key: 'level', label: 'Level' },
    ],
    rows: points.map(({ date, severity, level }) => ({ date, severity, level })),
    empty: '',
  };
}

async function causeTable(trx: OrganizationTransaction, today: string): Promise<ReportTable> {
  const period = { from: addDays(today, -causesDays), to: today };
  const changes = await overviewChanges(trx, { ...period, measure: 'risk' });
  const { from, to, causes, firstRecordedDay } = changes;
  const since =
    firstRecordedDay !== null && firstRecordedDay <= from.date
      ? `From ${from.score} at the end of ${formatDay(from.date)}`
      : 'From 0 before the first recorded day';
  return {
    name: 'causes',
    title: `Why the overall risk score moved in ${causesDays} days`,
    note: `${since} to ${to.score} now; the causes add up exactly to the difference.`,
    columns: [
      { key: 'label', label: 'Cause', wraps: true },
      { key: 'count', label: 'Records', isNumber: true },
      { key: 'delta', label: 'Points', isNumber: true, isSigned: true },
    ],
    rows: causes.map(({ label, count, delta }) => ({
      label,
      count: count === 0 ? null : count,
      delta,
    })),
    empty: 'Nothing that the score counts changed.',
  };
}

async function actionTable(trx: OrganizationTransaction): Promise<ReportTable> {
  const { score, items } = await overviewPriorities(trx);
  return {
    name: 'actions',
    title: 'What to do first',
    note: `What would lower the overall risk score of ${score} most; each row is calculated on its own.`,
    columns: [
      { key: 'title', label: 'Action', wraps: true },
      { key: 'scoreAfter', label: 'Score after', isNumber: true },
      { key: 'weighted', label: 'Points before the limit of 100', isNumber: true, isSigned: true },
    ],
    rows: items.map(({ title, scoreAfter, weighted }) => ({ title, scoreAfter, weighted })),
    empty: 'Nothing would lower the score.',
  };
}

/** The tables of the numbers on the overview. */
export const organizationTables = async (
  trx: OrganizationTransaction,
  metrics: OverviewMetrics,
): Promise<ReportTable[]> => [
  numberTable(metrics),
  funnelTable(metrics),
  await categoryTable(trx),
  await exposureTable(trx),
  await causeTable(trx, metrics.asOf.slice(0, 10)),
  await actionTable(trx),
];
