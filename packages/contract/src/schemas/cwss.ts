import { cwssOrder, impactLayers, technicalImpacts } from '@riskboard/domain';
import { z } from 'zod';
import { cwssCauses, cwssStaleReasons, type CwssStaleReason } from '../cwss.ts';
import type { SchemaTable } from '../endpoint.ts';
import { Accepted, Id, IdParams, Time } from './common.ts';
import { CwssFactorChanges } from './cwss-factors.ts';
import { CwssCounts } from './jobs.ts';
import { Vulnerability, vulnerabilityListSchemas } from './vulnerabilities.ts';

const subScores = {
  /** Base Finding, 0-100. */
  base: z.number(),
  /** Attack Surface, 0-1. */
  attackSurface: z.number(),
  /** Environmental, 0-1. */
  environmental: z.number(),
};

export const CwssScore = z.object({
  /** 0-100, one decimal, half up. */
  score: z.number(),
  /** The score before rounding. */
  raw: z.number(),
  ...subScores,
  /** In canonical form. */
  vector: z.string(),
  /** What was ignored or replaced while reading the vector. */
  warnings: z.array(z.string()),
});
export type CwssScore = z.infer<typeof CwssScore>;

const Factor = z.enum(cwssOrder);
export const FactorSource = z.enum(['vignette', 'CVSS', 'CVE', 'CWE', 'asset', 'analyst', 'default']);

/** A factor that an analyst set. */
export const CwssOverride = z.object({
  value: z.string(),
  /** 0-1; other than the weight of the value only for Q. */
  weight: z.number(),
  reason: z.string(),
  by: z.string(),
  at: Time,
});
export type CwssOverride = z.infer<typeof CwssOverride>;

/** One of the 16 factors with its weight, its origin and its influence. */
export const CwssFactorExplanation = z.object({
  code: Factor,
  value: z.string(),
  /** 0-1. */
  weight: z.number(),
  source: FactorSource,
  reason: z.string(),
  /** Share of the sub-score in percent, of the factors that are added; null for factors that multiply and for a sub-score of 0. */
  share: z.number().nullable(),
  /** The score with the value that lowers it most, and with the value that raises it most. */
  lowest: z.object({ value: z.string(), score: z.number() }),
  highest: z.object({ value: z.string(), score: z.number() }),
  /** What the factor would be without the analyst; null unless an analyst set it. */
  suggested: z.object({ value: z.string(), weight: z.number(), reason: z.string() }).nullable(),
});
export type CwssFactorExplanation = z.infer<typeof CwssFactorExplanation>;

const Impact = z.enum(technicalImpacts);

/** What each weakness of the vulnerability contributes. */
const WeaknessContribution = z.object({
  /** As in CWE-79. */
  cwe: z.string(),
  name: z.string(),
  /** Of the catalogue; null without a mapped and rated impact. */
  impact: Impact.nullable(),
  layer: z.enum(impactLayers).nullable(),
  subscore: z.number().nullable(),
  /** The ancestor whose impacts were used. */
  inheritedFrom: z.string().nullable(),
  /** Why it has no impact, or what to know about it: a category, deprecated, unknown, inherited. */
  note: z.string(),
});

/** A calculated score with everything that it was calculated from. */
export const CwssResult = z.object({
  score: z.number(),
  raw: z.number(),
  ...subScores,
  vector: z.string(),
  /** In the order of the standard. */
  factors: z.array(CwssFactorExplanation),
  technicalImpact: z.object({
    /** Rated highest, also when an analyst set the factor to another value; null when no impact is mapped and rated. */
    impact: Impact.nullable(),
    layer: z.enum(impactLayers).nullable(),
    subscore: z.number().nullable(),
    /** The analyst's note of the winning cell. */
    notes: z.string(),
    cwe: z.string().nullable(),
    inheritedFrom: z.string().nullable(),
    /** Why Technical Impact has its default value; null when it was rated or an analyst set it. */
    fallback: z.string().nullable(),
  }),
  weaknesses: z.array(WeaknessContribution),
  /** Factors with the value Default or Unknown, of 16. */
  completeness: z.object({ known: z.int(), default: z.int(), unknown: z.int() }),
  vignetteId: Id,
  vignetteName: z.string(),
  vignetteVersion: z.int(),
  catalogueVersion: z.string(),
  formulaVersion: z.string(),
});
export type CwssResult = z.infer<typeof CwssResult>;

const StaleReason = z.object({
  code: z.enum(Object.keys(cwssStaleReasons) as [CwssStaleReason, ...CwssStaleReason[]]),
  reason: z.string(),
});

const HistoryEntry = z.object({
  version: z.int(),
  at: Time,
  /** Who requested it; empty when it was recalculated automatically. */
  by: z.string(),
  cause: z.enum(cwssCauses),
  score: z.number(),
  vector: z.string(),
  /** Scores of one vignette are comparable, also after it was renamed. */
  vignetteId: Id,
  vignetteName: z.string(),
  vignetteVersion: z.int(),
  /** What changed against the score before, such as 'AP: D to A'; empty for the first. */
  changes: z.array(z.string()),
});

export const CwssExplanation = CwssResult.extend({
  /** 1 for the first score of the vulnerability. */
  version: z.int(),
  calculatedAt: Time,
  /** Empty when it was recalculated automatically. */
  calculatedBy: z.string(),
  cause: z.enum(cwssCauses),
  /** False after the vignette was deleted. */
  vignetteExists: z.boolean(),
  /** Whether something changed since that the score was calculated from; `staleReasons` says what. */
  stale: z.boolean(),
  staleReasons: z.array(StaleReason),
  overrides: z.partialRecord(Factor, CwssOverride),
  /** Newest first, at most 100. */
  history: z.array(HistoryEntry),
}).meta({ id: 'CwssExplanation' });
export type CwssExplanation = z.infer<typeof CwssExplanation>;

const Calculation = z.object({ id: Id, vignetteId: Id });

export const cwssSchemas = {
  score: {
    summary: 'Score a CWSS 1.0.1 vector or a link of a calculator, with strict errors for factors and values',
    body: z.object({ vector: z.string().trim().min(1, 'Enter a vector.').max(1000) }),
    reply: { 200: CwssScore },
  },
  calculate: {
    summary: 'Calculate the CWSS score of a vulnerability with a vignette; answers 202 after 1.5 s',
    body: Calculation,
    reply: {
      200: z.object({ vulnerability: Vulnerability, cwssScore: z.number(), message: z.string() }),
      202: Accepted,
    },
  },
  calculateMany: {
    summary:
      'Calculate the CWSS scores of these vulnerabilities or all that match with one vignette, or each with its own, as a job',
    body: z.intersection(
      vulnerabilityListSchemas.selection,
      z.object({
        /** Absent: each vulnerability with the vignette of its newest score; those without a score are skipped. */
        vignetteId: Id.optional(),
      }),
    ),
    reply: { 200: z.object({ result: CwssCounts, message: z.string() }), 202: Accepted },
  },
  explanation: {
    summary: 'How the CWSS score of a vulnerability came about; 404 before the first calculation',
    params: IdParams,
    query: z.strictObject({
      /** An earlier score; absent: the newest. */
      version: z.coerce.number().int().min(1).max(2_000_000_000).optional(),
    }),
    reply: { 200: CwssExplanation },
  },
  preview: {
    summary: 'The score that a vignette would give now; nothing is stored',
    params: IdParams,
    query: z.strictObject({ vignetteId: Id }),
    reply: { 200: CwssResult },
  },
  setFactors: {
    summary: 'Set factors with a reason, or remove them with null; a score that exists is calculated again',
    params: IdParams,
    body: CwssFactorChanges,
    reply: {
      200: z.union([
        CwssExplanation,
        z.object({ score: z.null(), overrides: z.partialRecord(Factor, CwssOverride) }),
      ]),
    },
  },
} satisfies SchemaTable;
