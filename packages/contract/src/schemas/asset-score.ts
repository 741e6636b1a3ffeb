import { scoreCauses, scoreParts } from '@riskboard/domain';
import { z } from 'zod';
import { Id } from './common.ts';

const Level = z.int().nullable();
const causes = Object.keys(scoreCauses) as (keyof typeof scoreCauses)[];

/** How the risk score of an asset comes about (contract, Explanations). */
export const AssetScore = z
  .object({
    score: z.number(),
    /** The formula in words (spec 9, Assets). */
    formula: z.string(),
    inputs: z.object({
      confidentialityLevel: Level,
      integrityLevel: Level,
      availabilityLevel: Level,
      criticality: Level,
      threatCount: z.int(),
      vulnerabilityCount: z.int(),
    }),
    /**
     * What each level, threat and vulnerability adds; the values of `adds` sum up to the score exactly. At most 100
     * threats and 100 vulnerabilities are named, the highest first; the others are summed.
     */
    contributions: z.array(
      z.object({
        part: z.enum(scoreParts),
        what: z.string(),
        value: z.number().nullable(),
        adds: z.number(),
        _id: Id.nullable().describe('Of the threat or vulnerability.'),
        status: z.string().optional().describe('Of the vulnerability: one of any status adds the same.'),
      }),
    ),
    /** Recorded scores, newest last: at most 400. Of more than 400, the last one of each of the newest 400 days. */
    history: z.array(
      z.object({
        at: z.iso.datetime(),
        score: z.number(),
        cause: z.enum(causes),
        threatCount: z.int(),
        vulnerabilityCount: z.int(),
        by: z.string().describe('Name of the user; empty for daily records, and where it is not known.'),
      }),
    ),
    historyIsThinned: z
      .boolean()
      .describe('Whether the history has one record a day because there are more.'),
  })
  .meta({ id: 'AssetScore' });
export type AssetScore = z.infer<typeof AssetScore>;
