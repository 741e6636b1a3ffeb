import { overview, projects, type Reply } from '@riskboard/contract';
import { answer, server } from './server.ts';

type Metrics = Reply<(typeof overview)['metrics']>;
type Metric = Metrics['activeThreats'];

const metric = (value: number, link: string): Metric => ({ value, change: 0, changeType: 'none', link });

/** Numbers of an organization with some of everything. */
export const metricsOf = (change: Partial<Metrics> = {}): Metrics => ({
  totalThreats: { ...metric(41, '/dashboard/threats'), high: 9 },
  openVulnerabilities: { ...metric(1284, '/dashboard/vulnerabilities?status=open'), critical: 4 },
  newVulnerabilities: metric(16, '/dashboard/vulnerabilities?status=new'),
  assetsAtRisk: metric(6, '/dashboard/assets?status=at-risk'),
  overallRisk: { ...metric(57, '/dashboard/overview'), band: 'Medium', bar: 43 },
  activeThreats: metric(33, '/dashboard/threats?isActive=true'),
  remediationRate: metric(1.2, '/dashboard/vulnerabilities?status=new'),
  securityStatus: 'poor',
  headline: [
    {
      text: '2 new critical vulnerabilities on mission-critical assets',
      link: '/dashboard/vulnerabilities',
      since: null,
    },
    { text: 'Risk up 4 since Monday', link: null, since: '2026-11-16' },
  ],
  alerts: [
    {
      code: 'high-threats',
      severity: 'high',
      title: 'Threats with a high risk level',
      description: '9 threats have a risk level above 60.',
      count: 9,
      link: '/dashboard/threats?risk=high',
    },
  ],
  insights: [
    {
      code: 'assess-new',
      priority: 'medium',
      title: 'Assess the new vulnerabilities',
      description: '16 vulnerabilities of the last 30 days.',
      time: '1-2 hours',
      count: 16,
      link: '/dashboard/vulnerabilities?status=new',
    },
  ],
  funnel: [
    { step: 'open', label: 'Open', count: 1284, link: '/dashboard/vulnerabilities?status=open' },
    {
      step: 'severe',
      label: 'Critical or high',
      count: 3,
      link: '/dashboard/vulnerabilities?severity=critical',
    },
  ],
  comparedWith: '2026-10-23',
  asOf: '2026-11-22T10:00:00.000Z',
  recomputedAt: null,
  ...change,
});

/** Numbers of an organization without records. */
export const noMetrics = metricsOf({
  totalThreats: { ...metric(0, '/dashboard/threats'), high: 0 },
  openVulnerabilities: { ...metric(0, '/dashboard/vulnerabilities?status=open'), critical: 0 },
  newVulnerabilities: metric(0, '/dashboard/vulnerabilities?status=new'),
  assetsAtRisk: metric(0, '/dashboard/assets?status=at-risk'),
  overallRisk: { ...metric(0, '/dashboard/overview'), band: 'Low', bar: 100 },
  activeThreats: metric(0, '/dashboard/threats?isActive=true'),
  remediationRate: metric(100, '/dashboard/vulnerabilities?status=new'),
  securityStatus: 'excellent',
  headline: [{ text: 'No open vulnerabilities', link: null, since: null }],
  alerts: [],
  insights: [],
  funnel: [],
  comparedWith: null,
});

interface OverviewReplies {
  metrics?: Metrics;
  /** Records of every kind, for an organization whose numbers are 0. */
  records?: number;
}

/** Answers every call of the overview. */
export function answerOverview({ metrics = metricsOf(), records = 0 }: OverviewReplies = {}): void {
  server.use(
    answer(overview.metrics, () => metrics),
    answer(overview.riskCategories, () => ({
      estimatedImpact: 2_412_000,
      lastSynced: '2026-11-22T08:00:00.000Z',
      categories: [
        {
          name: 'Input Validation',
          value: 78.4,
          color: '#4f76e0',
          count: 44,
          link: '/dashboard/vulnerabilities?status=open&categoryId=1',
        },
      ],
    })),
    answer(overview.exposureTrend, (): Reply<(typeof overview)['exposureTrend']> => [
      { date: '2026-09-30', severity: null, level: null },
      { date: '2026-10-31', severity: 7.1, level: 'High' },
      { date: '2026-11-22', severity: 6.25, level: 'Medium' },
    ]),
    answer(overview.priorities, () => ({ score: 57, items: [], findings: [] })),
    answer(overview.changes, (): Reply<(typeof overview)['changes']> => ({
      measure: 'risk',
      from: { date: '2026-10-23', score: 57 },
      to: { date: '2026-11-22', score: 57 },
      causes: [],
      firstRecordedDay: '2026-10-23',
    })),
    answer(overview.history, () => ({ days: [], weeks: [], recomputedAt: null, firstRecordedDay: null })),
    answer(projects.metrics, () => ({
      active: 0,
      completed: 0,
      onHold: 0,
      assets: records,
      threats: records,
      vulnerabilities: records,
    })),
  );
}
