import { type CvssVector, KnownVectors } from '@riskboard/domain';
import calculator from 'ae-cvss-calculator';

const { Cvss2, Cvss3P0, Cvss3P1, Cvss4P0 } = calculator;

/**
 * Number of base metrics, which come first in a canonical vector. Only they are scored; v4.0 has no separate base
 * score, its CVSS-B is the score of the base metrics alone (CVSS v4.0 section 1.3).
 */
const baseMetrics = { '2.0': 6, '3.0': 8, '3.1': 8, '4.0': 11 } as const;

const scorers = {
  '2.0': (vector: string) => new Cvss2(vector).calculateScores().base,
  '3.0': (vector: string) => new Cvss3P0(vector).calculateScores().base,
  '3.1': (vector: string) => new Cvss3P1(vector).calculateScores().base,
  '4.0': (vector: string) => new Cvss4P0(vector).calculateScores().overall,
} as const;

const known = new KnownVectors<number>();

/**
 * Base score of a valid vector, 0.0 to 10.0 with one decimal.
 *
 * @throws Error when the library returns no score for a valid vector
 */
export function cvssBaseScore(vector: CvssVector): number {
  return known.get(vector.vector) ?? known.keep(vector.vector, scoreBase(vector));
}

function scoreBase({ version, vector }: CvssVector): number {
  const parts = vector.split('/');
  const prefixed = vector.startsWith('CVSS:') ? 1 : 0;
  const base = parts.slice(0, prefixed + baseMetrics[version]).join('/');
  const score = scorers[version](base);
  if (score === undefined || !Number.isFinite(score)) throw new Error(`No CVSS score for ${vector}`);
  return Math.round(score * 10) / 10;
}
