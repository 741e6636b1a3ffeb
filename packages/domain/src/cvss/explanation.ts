import type { CvssVector } from './vector.ts';
import { readCvssDraft } from './draft.ts';
import type { CvssVersion } from './metrics.ts';
import { labels2 } from './labels-2.ts';
import { labels3 } from './labels-3.ts';
import { labels4 } from './labels-4.ts';
import { type CvssGroup, cvssGroups, type CvssMetricLabels, type CvssValueLabels } from './labels.ts';

/** Every metric of each version with the names and meanings of its values, in the specification's order. */
export const cvssLabels: Readonly<Record<CvssVersion, readonly CvssMetricLabels[]>> = {
  '2.0': labels2,
  '3.0': labels3,
  '3.1': labels3,
  '4.0': labels4,
};

export interface CvssExplainedMetric {
  readonly code: string;
  readonly name: string;
  readonly value: CvssValueLabels;
}

export interface CvssExplainedGroup {
  readonly group: CvssGroup;
  readonly label: string;
  readonly metrics: readonly CvssExplainedMetric[];
}

/** The metrics of a version by group; groups without metrics are left out. */
export const cvssMetricGroups = (
  version: CvssVersion,
): { group: CvssGroup; label: string; metrics: readonly CvssMetricLabels[] }[] =>
  (Object.keys(cvssGroups) as CvssGroup[])
    .map((group) => ({
      group,
      label: cvssGroups[group],
      metrics: cvssLabels[version].filter((metric) => metric.group === group),
    }))
    .filter(({ metrics }) => metrics.length > 0);

/** The metrics that a valid vector names, by group, each with its value; groups without one are left out. */
export function explainCvss({ version, vector }: CvssVector): CvssExplainedGroup[] {
  const { values } = readCvssDraft(vector, version);
  const explain = ({ code, name, values: known }: CvssMetricLabels): CvssExplainedMetric[] => {
    const value = known.find(({ code: candidate }) => candidate === values.get(code));
    return value === undefined ? [] : [{ code, name, value }];
  };
  return cvssMetricGroups(version)
    .map(({ group, label, metrics }) => ({ group, label, metrics: metrics.flatMap(explain) }))
    .filter(({ metrics }) => metrics.length > 0);
}
