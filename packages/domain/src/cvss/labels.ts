/** The metric groups of the CVSS specifications. */
export const cvssGroups = {
  base: 'Base',
  temporal: 'Temporal',
  threat: 'Threat',
  environmental: 'Environmental',
  supplemental: 'Supplemental',
} as const;
export type CvssGroup = keyof typeof cvssGroups;

/**
 * How much a value raises the score, relative to the other values of its metric: 0 least, 3 most. Null where the
 * metric does not score or the value is "not defined".
 */
export type CvssWeight = 0 | 1 | 2 | 3 | null;

export interface CvssValueLabels {
  readonly code: string;
  readonly name: string;
  /** One sentence. */
  readonly means: string;
  readonly weight: CvssWeight;
}

export interface CvssMetricLabels {
  readonly code: string;
  readonly name: string;
  readonly group: CvssGroup;
  /** Of a scoring metric: the least severe value first. */
  readonly values: readonly CvssValueLabels[];
}

/** Code, name and meaning of a value. */
type Line = readonly [code: string, name: string, means: string];

/** A value that leaves the metric out of the score. */
const notScored = ([code, name, means]: Line): CvssValueLabels => ({ code, name, means, weight: null });

/** A metric that scores; list its values with the least severe first. */
export function scored(group: CvssGroup, code: string, name: string) {
  return (...lines: readonly Line[]): CvssMetricLabels => ({
    code,
    name,
    group,
    values: lines.map(([value, label, means], index) => ({
      code: value,
      name: label,
      means,
      weight: Math.round((3 * index) / (lines.length - 1)) as CvssWeight,
    })),
  });
}

/** A metric that informs without scoring (CVSS v4.0 section 5). */
export function supplemental(code: string, name: string) {
  return (...lines: readonly Line[]): CvssMetricLabels => ({
    code,
    name,
    group: 'supplemental',
    values: lines.map(notScored),
  });
}

/** The same metric with its "not defined" value. */
export const optional = (metric: CvssMetricLabels, line: Line): CvssMetricLabels => ({
  ...metric,
  values: [notScored(line), ...metric.values],
});

/** The environmental variant of a base metric; X keeps the base value. */
export function modified(metric: CvssMetricLabels): CvssMetricLabels {
  const own: CvssMetricLabels = {
    ...metric,
    code: `M${metric.code}`,
    name: `Modified ${metric.name}`,
    group: 'environmental',
  };
  return optional(own, ['X', 'Not Defined', 'The value of the base metric applies.']);
}
