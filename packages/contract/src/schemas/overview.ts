import { securityStatuses } from '@riskboard/domain';
import { changeMeasures, explainedMetrics, funnelSteps, mostPriorities } from '../overview.ts';
import type { SchemaTable } from '../endpoint.ts';
import { Accepted, Day, Time } from './common.ts';
import { RecomputeResult } from './jobs.ts';
import { z } from 'zod';

/** A page of the product that shows the rows of a number. */
const Link = z.string().startsWith('/dashboard');

/** A number with its change (contract, change). */
const Metric = z.object({
  value: z.number(),
  change: z.number().describe('Percent, one decimal, never below 0.'),
  changeType: z.enum(['increase', 'decrease', 'none']),
  /** The list with exactly `value` rows; for a number that counts no rows, the page that shows what it is made of. */
  link: Link,
});
export type OverviewMetric = z.infer<typeof Metric>;

const Alert = z.object({
  code: z.string(),
  severity: z.enum(['critical', 'high', 'medium']),
  title: z.string(),
  description: z.string(),
  count: z.int(),
  link: Link,
});

const Insight = z.object({
  code: z.string(),
  priority: z.enum(['high', 'medium', 'low']),
  title: z.string(),
  description: z.string(),
  /** As in '1-2 days' (spec 9, Overview). */
  time: z.string(),
  count: z.int(),
  link: Link,
});

/** Numbers of the overview (spec 3, Overview metrics; contract, Meanings). */
export const OverviewMetrics = z
  .object({
    totalThreats: Metric.extend({ high: z.int() }),
    openVulnerabilities: Metric.extend({ critical: z.int() }),
    newVulnerabilities: Metric,
    assetsAtRisk: Metric,
    /** 0-100, with its band and the percent of its bar. */
    overallRisk: Metric.extend({ band: z.enum(['Low', 'Medium', 'High']), bar: z.number() }),
    activeThreats: Metric,
    /** Percent, 0-100. */
    remediationRate: Metric,
    securityStatus: z.enum(securityStatuses),
    /**
     * Sentences computed from the numbers, the most important first; `link` opens the rows of a sentence, and `since` is
     * the UTC day that it compares with.
     */
    headline: z.array(z.object({ text: z.string(), link: Link.nullable(), since: Day.nullable() })).min(1),
    alerts: z.array(Alert).max(4),
    insights: z.array(Insight).max(6),
    funnel: z.array(z.object({ step: z.enum(funnelSteps), label: z.string(), count: z.int(), link: Link })),
    comparedWith: Day.nullable().describe(
      'Day of the snapshot that the changes compare with; null without one.',
    ),
    asOf: Time,
    recomputedAt: Time.nullable().describe('End of the last recomputation; null before the first.'),
  })
  .meta({ id: 'OverviewMetrics' });
export type OverviewMetrics = z.infer<typeof OverviewMetrics>;

const RiskCategories = z.object({
  estimatedImpact: z.number().describe('Replacement and recovery costs of the assets at risk.'),
  lastSynced: Time.nullable(),
  categories: z
    .array(
      z.object({
        name: z.string(),
        value: z.number().describe('0-100, one decimal.'),
        color: z.string(),
        count: z.int().describe('Open vulnerabilities of the category with a severity.'),
        link: Link,
      }),
    )
    .max(4),
});
export type RiskCategories = z.infer<typeof RiskCategories>;

const ExposureTrend = z.array(
  z.object({
    date: Day,
    severity: z.number().nullable().describe('0-10; null in a month without an open vulnerability.'),
    level: z.enum(['High', 'Medium', 'Low']).nullable(),
  }),
);
export type ExposureTrend = z.infer<typeof ExposureTrend>;

const DatedScore = z.object({ date: Day, score: z.number().nullable() });

const Cause = z.object({
  code: z.string(),
  label: z.string(),
  delta: z
    .number()
    .describe('Points of the score, signed; all deltas add up exactly to `to.score - from.score`.'),
  count: z.int().describe('Rows; 0 for rounding, cap and formula.'),
  /** Path and query of the list with the rows; null without rows to open. */
  query: Link.nullable(),
  /**
   * Rows that the list of `query` has now: without records that were deleted or have changed again. Null for the activity
   * log and without a list.
   */
  listed: z.int().nullable(),
});

const Changes = z.object({
  measure: z.enum(changeMeasures),
  from: DatedScore,
  to: DatedScore,
  causes: z.array(Cause),
  firstRecordedDay: Day.nullable().describe('First day that is recorded.'),
});
export type OverviewChanges = z.infer<typeof Changes>;

const Explanation = z.object({
  metric: z.enum(explainedMetrics),
  label: z.string(),
  value: z.union([z.number(), z.string()]).nullable(),
  formula: z.string().describe('In words and symbols, with the section of the specification in plain words.'),
  inputs: z.array(
    z.object({
      name: z.string(),
      value: z.number(),
      weight: z.number().optional().describe('What one of it adds, where the formula weighs it.'),
      adds: z.number().optional().describe('What it adds in all.'),
      query: Link.nullable(),
    }),
  ),
  bands: z
    .array(z.object({ label: z.string(), rule: z.string(), current: z.boolean() }))
    .describe('Thresholds of the bands, the highest first; empty without bands.'),
  asOf: Time,
});
export type OverviewExplanation = z.infer<typeof Explanation>;

const Priority = z.object({
  code: z.string(),
  title: z.string(),
  description: z.string(),
  scoreAfter: z
    .number()
    .describe('The score without the finding, recomputed, and the difference (never above 0).'),
  delta: z.number(),
  weighted: z
    .number()
    .describe('Before rounding and cap, in points of the weighted sum; orders what the cap hides.'),
  link: Link,
});

const Priorities = z.object({
  score: z.number(),
  items: z
    .array(Priority)
    .max(mostPriorities)
    .describe('Groups of findings, such as all critical ones, and single findings.'),
  findings: z
    .array(Priority)
    .max(mostPriorities)
    .describe('Single findings only: one vulnerability, threat or asset each.'),
});
export type OverviewPriorities = z.infer<typeof Priorities>;

const HistoryPoint = z.object({
  date: Day,
  score: z.number(),
  totalThreats: z.int(),
  openVulnerabilities: z.int(),
  newVulnerabilities: z.int(),
  assetsAtRisk: z.int(),
  exposure: z
    .number()
    .nullable()
    .describe('Mean severity of the open vulnerabilities, 0-10; null without one.'),
});

const HistoryWeek = z.object({
  /** Its Monday. */
  week: Day,
  found: z.int(),
  resolved: z.int().describe('Fixed, mitigated, accepted or deleted, less the reopened ones.'),
  net: z.int().describe('resolved - found.'),
  fixed: z
    .int()
    .describe(
      'Days from discovery to the closing, of the vulnerabilities that are fixed and were closed in the week; null without one.',
    ),
  p50: z.number().nullable(),
  p95: z.number().nullable(),
});

const History = z.object({
  days: z.array(HistoryPoint).describe('One point for each recorded day; a missing day stays missing.'),
  weeks: z.array(HistoryWeek),
  recomputedAt: Time.nullable().describe(
    'When fixed, p50 and p95 of the weeks were calculated: by `metrics.recompute`; null before the first one.',
  ),
  firstRecordedDay: Day.nullable(),
});
export type OverviewHistory = z.infer<typeof History>;

export const overviewSchemas = {
  metrics: {
    summary: 'Numbers, status, alerts, insights and funnel of the overview',
    reply: { 200: OverviewMetrics },
  },
  riskCategories: {
    summary: 'The four categories with the largest summed severity of open vulnerabilities',
    reply: { 200: RiskCategories },
  },
  exposureTrend: {
    summary: 'Mean severity of the open vulnerabilities at the end of each of the last 12 months',
    reply: { 200: ExposureTrend },
  },
  changes: {
    summary: 'Causes of the change of a score between two days; they add up exactly to the difference',
    query: z.strictObject({
      from: Day.describe('The end of this day, in UTC, is compared.'),
      to: Day.describe('With the end of this day; the present day ends now.'),
      measure: z.enum(changeMeasures).default('risk').describe('The score that is compared.'),
    }),
    reply: { 200: Changes },
  },
  explain: {
    summary: 'How a number of the overview is calculated, with links to its rows',
    params: z.object({ metric: z.enum(explainedMetrics).describe('The number.') }),
    reply: { 200: Explanation },
  },
  priorities: {
    summary: 'The changes that would lower the overall risk score most',
    reply: { 200: Priorities },
  },
  history: {
    summary: 'Recorded numbers of each day and remediation of each week',
    query: z.strictObject({
      from: Day.optional().describe('First day. Absent: the first one that is recorded.'),
      to: Day.optional().describe('Last day. Absent: today, in UTC.'),
    }),
    reply: { 200: History },
  },
  recompute: {
    summary: 'Compare the counters with a recount and repair differences',
    reply: { 200: z.object({ result: RecomputeResult, message: z.string() }), 202: Accepted },
  },
} satisfies SchemaTable;
