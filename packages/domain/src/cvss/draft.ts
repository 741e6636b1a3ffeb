import { cvssVersions, type CvssVersion } from './metrics.ts';

/** An incomplete vector: the metrics chosen so far. */
export interface CvssDraft {
  readonly version: CvssVersion;
  /** Metric code to value code; only metrics and values of the version. */
  readonly values: ReadonlyMap<string, string>;
}

const prefixed = ['3.0', '3.1', '4.0'] as const;

/** The version whose prefix the text starts with; undefined without a known prefix. */
export const cvssVersionIn = (text: string): CvssVersion | undefined =>
  prefixed.find((version) => text.trim().startsWith(cvssVersions[version].prefix));

/**
 * Reads a complete or partial vector: unknown metrics and values are ignored, and of a repeated metric the first value
 * counts. `parseCvssVector` checks a whole vector.
 * @param defaultVersion version of a text without a prefix
 */
export function readCvssDraft(text: string, defaultVersion: CvssVersion): CvssDraft {
  const version = cvssVersionIn(text) ?? defaultVersion;
  const { prefix, metrics } = cvssVersions[version];
  const trimmed = text.trim().replace(/^\(|\)$/gu, '');
  const body = trimmed.startsWith(prefix) ? trimmed.slice(prefix.length) : trimmed;
  const values = new Map<string, string>();
  for (const part of body.split('/')) {
    const [code = '', value = ''] = part.split(':');
    if (!values.has(code) && metrics.get(code)?.has(value)) values.set(code, value);
  }
  return { version, values };
}

/** The draft as text, in the specification's order; empty while nothing is chosen. */
export function writeCvssDraft({ version, values }: CvssDraft): string {
  const { prefix, metrics } = cvssVersions[version];
  const stated = [...metrics.keys()].filter((code) => values.has(code));
  if (stated.length === 0) return '';
  return prefix + stated.map((code) => `${code}:${values.get(code)}`).join('/');
}

/** Codes of the base metrics without a value, in the specification's order. */
export function missingCvssMetrics({ version, values }: CvssDraft): string[] {
  const { metrics, mandatory } = cvssVersions[version];
  return [...metrics.keys()].slice(0, mandatory).filter((code) => !values.has(code));
}
