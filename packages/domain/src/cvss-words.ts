/** What kind of question a metric answers; the specifications group them so. */
export const cvssGroups = {
  base: 'Base',
  temporal: 'Temporal',
  threat: 'Threat',
  environmental: 'Environmental',
  supplemental: 'Supplemental',
} as const;
export type CvssGroup = keyof typeof cvssGroups;

/**
 * How far a value raises the score beside the other values of its metric: 0 least, 3 most. Null where the metric
 * does not score or the value says nothing ("not defined").
 */
export type CvssWeight = 0 | 1 | 2 | 3 | null;

export interface CvssValueWords {
  readonly code: string;
  readonly name: string;
  /** One sentence. */
  readonly means: string;
  readonly weight: CvssWeight;
}

export interface CvssMetricWords {
  readonly code: string;
  readonly name: string;
  readonly group: CvssGroup;
  /** Those that score stand with the least severe first. */
  readonly values: readonly CvssValueWords[];
}

/** Code, name and meaning of a value. */
type Line = readonly [code: string, name: string, means: string];

/** A value that leaves the metric out of the score. */
const silent = ([code, name, means]: Line): CvssValueWords => ({ code, name, means, weight: null });

/** Metrics that score; their values stand with the least severe first. */
export function scored(group: CvssGroup, code: string, name: string) {
  return (...lines: readonly Line[]): CvssMetricWords => ({
    code,
    name,
    group,
    values: lines.map(([value, word, means], index) => ({
      code: value,
      name: word,
      means,
      weight: Math.round((3 * index) / (lines.length - 1)) as CvssWeight,
    })),
  });
}

/** Metrics that tell without scoring (CVSS v4.0 section 5). */
export function told(code: string, name: string) {
  return (...lines: readonly Line[]): CvssMetricWords => ({
    code,
    name,
    group: 'supplemental',
    values: lines.map(silent),
  });
}

/** The same metric with its "not defined" value. */
export const optional = (metric: CvssMetricWords, line: Line): CvssMetricWords => ({
  ...metric,
  values: [silent(line), ...metric.values],
});

/** A base metric as the environment has it; X takes the base value over. */
export function modified(metric: CvssMetricWords): CvssMetricWords {
  const own: CvssMetricWords = {
    ...metric,
    code: `M${metric.code}`,
    name: `Modified ${metric.name}`,
    group: 'environmental',
  };
  return optional(own, ['X', 'Not Defined', 'Here it is as the base metric says.']);
}
