import { cvssVersions, type CvssMetrics, type CvssVersion } from './cvss-metrics.ts';

/** A vector that is being made: what is known of it so far. */
export interface CvssDraft {
  readonly version: CvssVersion;
  /** Metric code to value code; only what the version knows. */
  readonly values: ReadonlyMap<string, string>;
}

const prefixed = ['3.0', '3.1', '4.0'] as const;

/** The version whose prefix a text bears; undefined where it bears none that is known. */
export const cvssVersionIn = (text: string): CvssVersion | undefined =>
  prefixed.find((version) => text.trim().startsWith(cvssVersions[version].prefix));

/**
 * Reads what it can of a vector, complete or not: unknown metrics and values are passed over, of two the first counts.
 * `otherwise` is the version of a text without a prefix. Whether the whole is right, `parseCvssVector` says.
 */
export function readCvssDraft(text: string, otherwise: CvssVersion): CvssDraft {
  const version = cvssVersionIn(text) ?? otherwise;
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

/** Base metrics that are still to be chosen, in order. */
export function missingCvssMetrics({ version, values }: CvssDraft): string[] {
  const { metrics, mandatory } = cvssVersions[version];
  return [...metrics.keys()].slice(0, mandatory).filter((code) => !values.has(code));
}

/**
 * The draft in another version. Between 3.0 and 3.1 everything stays; else only base metrics of the same code and
 * value do, since the others mean something else there.
 */
export function inCvssVersion(draft: CvssDraft, version: CvssVersion): CvssDraft {
  const from: CvssMetrics = cvssVersions[draft.version];
  const to: CvssMetrics = cvssVersions[version];
  const alike = from.metrics.size === to.metrics.size;
  const kept = [...to.metrics.keys()].slice(0, alike ? undefined : to.mandatory).filter((code) => {
    const value = draft.values.get(code);
    return value !== undefined && to.metrics.get(code)?.has(value);
  });
  return { version, values: new Map(kept.map((code) => [code, draft.values.get(code) ?? ''])) };
}
