import type { CvssVersion } from './metrics.ts';

/** Lowest score of each rating, highest first. v3.1 section 5 table 14, v4.0 section 6 table 22. */
const qualitative = [
  { rating: 'Critical', from: 9 },
  { rating: 'High', from: 7 },
  { rating: 'Medium', from: 4 },
  { rating: 'Low', from: 0.1 },
  { rating: 'None', from: 0 },
] as const;

/** CVSS v2 defines no ratings; these are NVD's. */
const nvdRatings = [
  { rating: 'High', from: 7 },
  { rating: 'Medium', from: 4 },
  { rating: 'Low', from: 0 },
] as const;

export type CvssSeverity = (typeof qualitative)[number]['rating'];

/** Rating of a score, 0 to 10, on the scale of its version. */
export function cvssSeverityOf(version: CvssVersion, score: number): CvssSeverity {
  const scale = version === '2.0' ? nvdRatings : qualitative;
  return scale.find(({ from }) => score >= from)?.rating ?? 'Low';
}
