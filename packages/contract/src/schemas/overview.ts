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
  /** Percent, one decimal, never below 0. */
  change: z.number(),
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
    /** Day of the snapshot that the changes compare with; null without one. */
    comparedWith: Day.nullable(),
    asOf: Time,
    /** End of the last recomputation; null before the first. */
    recomputedAt: Time.nullable(),
  })
  .meta({ id: 'OverviewMetrics' });
export type OverviewMetrics = z.infer<typeof OverviewMetrics>;

const RiskCategories = z.object({
  /** Replacement and recovery costs of the assets at risk. */
  estimatedImpact: z.number(),
  lastSynced: Time.nullable(),
  categories: z
    .array(
      z.object({
        name: z.string(),
        /** 0-100, one decimal. */
        value: z.number(),
        color: z.string(),
        /** Open vulnerabilities of the category with a severity. */
        count: z.int(),
        link: Link,
      }),
    )
    .max(4),
});
export type RiskCategories = z.infer<typeof RiskCategories>;

const ExposureTrend = z.array(
  z.object({
    date: Day,
    /** 0-10; null in a month without an open vulnerability. */
    severity: z.number().nullable(),
    level: z.enum(['High', 'Medium', 'Low']).nullable(),
  }),
);
export type ExposureTrend = z.infer<typeof ExposureTrend>;

const DatedScore = z.object({ date: Day, score: z.number().nullable() });

const Cause = z.object({
  code: z.string(),
  label: z.string(),
  /** Points of the score, signed; all deltas add up exactly to `to.score - from.score`. */
  delta: z.number(),
  /** Rows; 0 for rounding, cap and formula. */
  count: z.int(),
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
  /** First day that is recorded. */
  firstRecordedDay: Day.nullable(),
});
export type OverviewChanges = z.infer<typeof Changes>;

const Explanation = z.object({
  metric: z.enum(explainedMetrics),
  label: z.string(),
  value: z.union([z.number(), z.string()]).nullable(),
  /** In words and symbols, with the section of the specification in plain words. */
  formula: z.string(),
  inputs: z.array(
    z.object({
      name: z.string(),
      value: z.number(),
      /** What one of it adds, where the formula weighs it. */
      weight: z.number().optional(),
      /** What it adds in all. */
      adds: z.number().optional(),
      query: Link.nullable(),
    }),
  ),
  /** Thresholds of the bands, the highest first; empty without bands. */
  bands: z.array(z.object({ label: z.string(), rule: z.string(), current: z.boolean() })),
  asOf: Time,
});
export type OverviewExplanation = z.infer<typeof Explanation>;

const Priority = z.object({
  code: z.string(),
  title: z.string(),
  description: z.string(),
  /** The score without the finding, recomputed, and the difference (never above 0). */
  scoreAfter: z.number(),
  delta: z.number(),
  /** Before rounding and cap, in points of the weighted sum; orders what the cap hides. */
  weighted: z.number(),
  link: Link,
});

const Priorities = z.object({
  score: z.number(),
  /** Groups of findings, such as all critical ones, and single findings. */
  items: z.array(Priority).max(mostPriorities),
  /** Single findings only: one vulnerability, threat or asset each. */
  findings: z.array(Priority).max(mostPriorities),
});
export type OverviewPriorities = z.infer<typeof Priorities>;

const HistoryPoint = z.object({
  date: Day,
  score: z.number(),
  totalThreats: z.int(),
  openVulnerabilities: z.int(),
  newVulnerabilities: z.int(),
  assetsAtRisk: z.int(),
  /** Mean severity of the open vulnerabilities, 0-10; null without one. */
  exposure: z.number().nullable(),
});

const HistoryWeek = z.object({
  /** Its Monday. */
  week: Day,
  found: z.int(),
  /** Fixed, mitigated, accepted or deleted, less the reopened ones. */
  resolved: z.int(),
  /** resolved - found. */
  net: z.int(),
  /** Days from discovery to the closing, of the vulnerabilities that are fixed and were closed in the week; null without one. */
  fixed: z.int(),
  p50: z.number().nullable(),
  p95: z.number().nullable(),
});

const History = z.object({
  /** One point for each recorded day; a missing day stays missing. */
  days: z.array(HistoryPoint),
  weeks: z.array(HistoryWeek),
  /** When fixed, p50 and p95 of the weeks were calculated: by `metrics.recompute`; null before the first one. */
  recomputedAt: Time.nullable(),
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
    query: z.strictObject({ from: Day, to: Day, measure: z.enum(changeMeasures).default('risk') }),
    reply: { 200: Changes },
  },
  explain: {
    summary: 'How a number of the overview is calculated, with links to its rows',
    params: z.object({ metric: z.enum(explainedMetrics) }),
    reply: { 200: Explanation },
  },
  priorities: {
    summary: 'The changes that would lower the overall risk score most',
    reply: { 200: Priorities },
  },
  history: {
    summary: 'Recorded numbers of each day and remediation of each week',
    query: z.strictObject({ from: Day.optional(), to: Day.optional() }),
    reply: { 200: History },
  },
  recompute: {
    summary: 'Compare the counters with a recount and repair differences',
    reply: { 200: z.object({ result: RecomputeResult, message: z.string() }), 202: Accepted },
  },
} satisfies SchemaTable;
