import type { CvssVector } from './cvss.ts';
import { readCvssDraft } from './cvss-draft.ts';
import type { CvssVersion } from './cvss-metrics.ts';
import { words2 } from './cvss-words-2.ts';
import { words3 } from './cvss-words-3.ts';
import { words4 } from './cvss-words-4.ts';
import { type CvssGroup, cvssGroups, type CvssMetricWords, type CvssValueWords } from './cvss-words.ts';

/** Every metric of each version with its values in words, in the specification's order. */
export const cvssWords: Readonly<Record<CvssVersion, readonly CvssMetricWords[]>> = {
  '2.0': words2,
  '3.0': words3,
  '3.1': words3,
  '4.0': words4,
};

export interface CvssExplainedMetric {
  readonly code: string;
  readonly name: string;
  readonly value: CvssValueWords;
}

export interface CvssExplainedGroup {
  readonly group: CvssGroup;
  readonly label: string;
  readonly metrics: readonly CvssExplainedMetric[];
}

/** The metrics of a version, group by group. */
export const cvssMetricGroups = (
  version: CvssVersion,
): { group: CvssGroup; label: string; metrics: readonly CvssMetricWords[] }[] =>
  (Object.keys(cvssGroups) as CvssGroup[])
    .map((group) => ({
      group,
      label: cvssGroups[group],
      metrics: cvssWords[version].filter((metric) => metric.group === group),
    }))
    .filter(({ metrics }) => metrics.length > 0);

/** What a checked vector says, metric by metric; groups and metrics that it does not name are left out. */
export function explainCvss({ version, vector }: CvssVector): CvssExplainedGroup[] {
  const { values } = readCvssDraft(vector, version);
  const explain = ({ code, name, values: words }: CvssMetricWords): CvssExplainedMetric[] => {
    const value = words.find((word) => word.code === values.get(code));
    return value === undefined ? [] : [{ code, name, value }];
  };
  return cvssMetricGroups(version)
    .map(({ group, label, metrics }) => ({ group, label, metrics: metrics.flatMap(explain) }))
    .filter(({ metrics }) => metrics.length > 0);
}
