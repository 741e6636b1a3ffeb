import { KnownVectors } from './known-vectors.ts';
import { cvssVersions, type CvssMetrics, type CvssVersion } from './metrics.ts';

export interface CvssVector {
  readonly ok: true;
  readonly version: CvssVersion;
  /** Canonical: the specification's order, no parentheses; stated "not defined" values are kept. */
  readonly vector: string;
}

export interface CvssVectorError {
  readonly ok: false;
  /** The invalid or missing metric; null when the whole vector is invalid (empty, unknown prefix). */
  readonly metric: string | null;
  readonly message: string;
}

const fault = (metric: string | null, message: string): CvssVectorError => ({ ok: false, metric, message });

/** Characters; a vector with every v4.0 metric has fewer than 250. */
const longestVector = 512;

const known = new KnownVectors<CvssVector>();

/**
 * Checks a CVSS vector strictly: prefix, known metrics and values, no duplicate, every base metric present.
 * Metrics may come in any order (v3.1 section 6); v2 may be in parentheses, as NVD writes it.
 */
export function parseCvssVector(text: string): CvssVector | CvssVectorError {
  const vector = text.trim();
  const kept = known.get(vector);
  if (kept !== undefined) return kept;
  const read = readVector(vector);
  return read.ok ? known.keep(vector, read) : read;
}

function readVector(vector: string): CvssVector | CvssVectorError {
  if (vector === '') return fault(null, 'The CVSS vector is empty.');
  if (vector.length > longestVector) return fault(null, 'The CVSS vector is too long.');
  const version = versionOf(vector);
  if (version === undefined) return fault(null, `Unknown CVSS prefix in "${vector.slice(0, 20)}".`);
  const rules: CvssMetrics = cvssVersions[version];
  const values = readMetrics(withoutPrefix(vector, rules.prefix), rules);
  if (!(values instanceof Map)) return values;
  const missing = [...rules.metrics.keys()].slice(0, rules.mandatory).find((code) => !values.has(code));
  if (missing !== undefined) return fault(missing, `Missing metric: ${missing}.`);
  const stated = [...rules.metrics.keys()].filter((code) => values.has(code));
  const metrics = stated.map((code) => `${code}:${values.get(code)}`).join('/');
  return { ok: true, version, vector: rules.prefix + metrics };
}

function versionOf(vector: string): CvssVersion | undefined {
  if (!/^\(?CVSS/.test(vector)) return '2.0';
  return (['3.0', '3.1', '4.0'] as const).find((version) => vector.startsWith(cvssVersions[version].prefix));
}

function withoutPrefix(vector: string, prefix: string): string {
  if (prefix !== '') return vector.slice(prefix.length);
  return vector.startsWith('(') && vector.endsWith(')') ? vector.slice(1, -1) : vector;
}

function readMetrics(body: string, rules: CvssMetrics): Map<string, string> | CvssVectorError {
  const values = new Map<string, string>();
  for (const part of body.split('/')) {
    const [code = '', value, ...rest] = part.split(':');
    const allowed = rules.metrics.get(code);
    if (allowed === undefined) return fault(code, `Unknown CVSS metric "${code}".`);
    if (value === undefined || rest.length > 0 || !allowed.has(value)) {
      return fault(code, `The CVSS metric ${code} has the unknown value "${part.slice(code.length + 1)}".`);
    }
    if (values.has(code)) return fault(code, `Duplicate metric: ${code}.`);
    values.set(code, value);
  }
  return values;
}
