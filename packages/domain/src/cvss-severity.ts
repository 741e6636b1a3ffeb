import type { CvssVersion } from './cvss-metrics.ts';

/** Lowest score of each word, highest first. v3.1 section 5 table 14, v4.0 section 6 table 22. */
const qualitative = [
  { word: 'Critical', from: 9 },
  { word: 'High', from: 7 },
  { word: 'Medium', from: 4 },
  { word: 'Low', from: 0.1 },
  { word: 'None', from: 0 },
] as const;

/** CVSS v2 has no words of its own; these are NVD's, which everybody uses. */
const ofNvd = [
  { word: 'High', from: 7 },
  { word: 'Medium', from: 4 },
  { word: 'Low', from: 0 },
] as const;

export type CvssSeverity = (typeof qualitative)[number]['word'];

/** Word for a score, 0 to 10, on the scale of its version. */
export function cvssSeverityOf(version: CvssVersion, score: number): CvssSeverity {
  const scale = version === '2.0' ? ofNvd : qualitative;
  return scale.find(({ from }) => score >= from)?.word ?? 'Low';
}
