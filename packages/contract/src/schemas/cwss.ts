import { cwssOrder, impactLayers, technicalImpacts } from '@riskboard/domain';
import { z } from 'zod';
import { cwssCauses, cwssStaleReasons, type CwssStaleReason } from '../cwss.ts';
import type { SchemaTable } from '../endpoint.ts';
import { Accepted, Id, IdParams, Time } from './common.ts';
import { CwssFactorChanges } from './cwss-factors.ts';
import { CwssCounts } from './jobs.ts';
import { Vulnerability, vulnerabilityListSchemas } from './vulnerabilities.ts';

const subScores = {
  base: z.number().describe('Base Finding, 0-100.'),
  attackSurface: z.number().describe('Attack Surface, 0-1.'),
  environmental: z.number().describe('Environmental, 0-1.'),
};

export const CwssScore = z.object({
  score: z.number().describe('0-100, one decimal, half up.'),
  raw: z.number().describe('The score before rounding.'),
  ...subScores,
  vector: z.string().describe('In canonical form.'),
  warnings: z.array(z.string()).describe('What was ignored or replaced while reading the vector.'),
});
export type CwssScore = z.infer<typeof CwssScore>;

const Factor = z.enum(cwssOrder);
export const FactorSource = z.enum(['vignette', 'CVSS', 'CVE', 'CWE', 'asset', 'analyst', 'default']);

/** A factor that an analyst set. */
export const CwssOverride = z.object({
  value: z.string(),
  weight: z.number().describe('0-1; other than the weight of the value only for Q.'),
  reason: z.string(),
  by: z.string(),
  at: Time,
});
export type CwssOverride = z.infer<typeof CwssOverride>;

/** One of the 16 factors with its weight, its origin and its influence. */
export const CwssFactorExplanation = z.object({
  code: Factor,
  value: z.string(),
  weight: z.number().describe('0-1.'),
  source: FactorSource,
  reason: z.string(),
  share: z
    .number()
    .nullable()
    .describe(
      'Share of the sub-score in percent, of the factors that are added; null for factors that multiply and for a sub-score of 0.',
    ),
  lowest: z
    .object({ value: z.string(), score: z.number() })
    .describe('The score with the value that lowers it most, and with the value that raises it most.'),
  highest: z.object({ value: z.string(), score: z.number() }),
  suggested: z
    .object({ value: z.string(), weight: z.number(), reason: z.string() })
    .nullable()
    .describe('What the factor would be without the analyst; null unless an analyst set it.'),
});
export type CwssFactorExplanation = z.infer<typeof CwssFactorExplanation>;

const Impact = z.enum(technicalImpacts);

/** What each weakness of the vulnerability contributes. */
const WeaknessContribution = z.object({
  cwe: z.string().describe('As in CWE-79.'),
  name: z.string(),
  /** Of the catalogue; null without a mapped and rated impact. */
  impact: Impact.nullable(),
  layer: z.enum(impactLayers).nullable(),
  subscore: z.number().nullable(),
  inheritedFrom: z.string().nullable().describe('The ancestor whose impacts were used.'),
  note: z
    .string()
    .describe('Why it has no impact, or what to know about it: a category, deprecated, unknown, inherited.'),
});

/** A calculated score with everything that it was calculated from. */
export const CwssResult = z.object({
  score: z.number(),
  raw: z.number(),
  ...subScores,
  vector: z.string(),
  factors: z.array(CwssFactorExplanation).describe('In the order of the standard.'),
  technicalImpact: z.object({
    /** Rated highest, also when an analyst set the factor to another value; null when no impact is mapped and rated. */
    impact: Impact.nullable(),
    layer: z.enum(impactLayers).nullable(),
    subscore: z.number().nullable(),
    notes: z.string().describe("The analyst's note of the winning cell."),
    cwe: z.string().nullable(),
    inheritedFrom: z.string().nullable(),
    fallback: z
      .string()
      .nullable()
      .describe('Why Technical Impact has its default value; null when it was rated or an analyst set it.'),
  }),
  weaknesses: z.array(WeaknessContribution),
  completeness: z
    .object({ known: z.int(), default: z.int(), unknown: z.int() })
    .describe('Factors with the value Default or Unknown, of 16.'),
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
  by: z.string().describe('Who requested it; empty when it was recalculated automatically.'),
  cause: z.enum(cwssCauses),
  score: z.number(),
  vector: z.string(),
  /** Scores of one vignette are comparable, also after it was renamed. */
  vignetteId: Id,
  vignetteName: z.string(),
  vignetteVersion: z.int(),
  changes: z
    .array(z.string())
    .describe("What changed against the score before, such as 'AP: D to A'; empty for the first."),
});

export const CwssExplanation = CwssResult.extend({
  version: z.int().describe('1 for the first score of the vulnerability.'),
  calculatedAt: Time,
  calculatedBy: z.string().describe('Empty when it was recalculated automatically.'),
  cause: z.enum(cwssCauses),
  vignetteExists: z.boolean().describe('False after the vignette was deleted.'),
  stale: z
    .boolean()
    .describe(
      'Whether something changed since that the score was calculated from; `staleReasons` says what.',
    ),
  staleReasons: z.array(StaleReason),
  overrides: z.partialRecord(Factor, CwssOverride),
  history: z.array(HistoryEntry).describe('Newest first, at most 100.'),
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
        vignetteId: Id.optional().describe(
          'Absent: each vulnerability with the vignette of its newest score; those without a score are skipped.',
        ),
      }),
    ),
    reply: { 200: z.object({ result: CwssCounts, message: z.string() }), 202: Accepted },
  },
  explanation: {
    summary: 'How the CWSS score of a vulnerability came about; 404 before the first calculation',
    params: IdParams,
    query: z.strictObject({
      version: z.coerce
        .number()
        .int()
        .min(1)
        .max(2_000_000_000)
        .optional()
        .describe('Number of an earlier score. Absent: the newest.'),
    }),
    reply: { 200: CwssExplanation },
  },
  preview: {
    summary: 'The score that a vignette would give now; nothing is stored',
    params: IdParams,
    query: z.strictObject({ vignetteId: Id.describe('The vignette that the score applies.') }),
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
