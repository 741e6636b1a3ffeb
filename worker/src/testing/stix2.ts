import { randomUUID } from 'node:crypto';

/** One STIX 2.x object of a report. */
export interface StixObject {
  type: string;
  id: string;
  [property: string]: unknown;
}

const created = '2024-01-01T00:00:00.000Z';

/** An object of any type; `fields` override the defaults, and `undefined` omits a property. */
export function object(type: string, fields: Record<string, unknown> = {}): StixObject {
  return {
    type,
    spec_version: '2.1',
    id: `${type}--${randomUUID()}`,
    created,
    modified: created,
    ...fields,
  };
}

export const cveReference = (id: string) => ({ source_name: 'cve', external_id: id });

/** Shorthands of the tests, in addition to STIX properties. */
interface VulnerabilityFields extends Record<string, unknown> {
  cves?: string[];
  /** A CVSS vector, in the extension of cve2stix. */
  vector?: string;
}

/** A vulnerability object with references to these CVEs. */
export function vulnerability({ cves = [], vector, ...fields }: VulnerabilityFields = {}): StixObject {
  return object('vulnerability', {
    name: cves[0] ?? 'A vulnerability without a CVE',
    ...(cves.length > 0 ? { external_references: cves.map(cveReference) } : {}),
    ...(vector === undefined ? {} : { x_cvss: { v3_1: { vector_string: vector } } }),
    ...fields,
  });
}

/** A threat object, by default malware. */
export const threat = (fields: Record<string, unknown> = {}, type = 'malware'): StixObject =>
  object(type, { name: 'A threat', ...(type === 'malware' ? { is_family: true } : {}), ...fields });

export const relationship = (relationType: string, source: StixObject, target: StixObject): StixObject =>
  object('relationship', {
    relationship_type: relationType,
    source_ref: source.id,
    target_ref: target.id,
  });

/** A STIX 2.1 bundle as text. */
export const bundle = (objects: StixObject[]): string =>
  JSON.stringify({ type: 'bundle', id: `bundle--${randomUUID()}`, objects });

/** A STIX 2.0 bundle, which has the version on the bundle instead of its objects. */
export const bundle20 = (objects: StixObject[]): string =>
  JSON.stringify({
    type: 'bundle',
    id: `bundle--${randomUUID()}`,
    spec_version: '2.0',
    objects: objects.map((item) => ({ ...item, spec_version: undefined })),
  });

/** `count` vulnerabilities with different CVEs, numbered from `from`. */
export const manyVulnerabilities = (count: number, from = 10_000): StixObject[] =>
  Array.from({ length: count }, (_, index) => vulnerability({ cves: [`CVE-2020-${from + index}`] }));
