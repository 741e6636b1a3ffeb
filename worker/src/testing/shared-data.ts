import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { referenceData } from '@riskboard/testing';

const folder = referenceData('stix');

/** Real reports, which are not part of the product; without them their tests are skipped. */
export const sharedDataPresent = folder !== undefined;

/** The manifest's entry of a file. */
export interface SharedFile {
  file: string;
  expect: string;
  expectedByMapping?: { vulnerabilityRecords: number; threatRecords: number; threatRecordsInactive: number };
}

export interface ExpectedVulnerability {
  key: string;
  cve: string | null;
  name: string | null;
  cwe: string[];
  cvss: { version: string | null; score?: number; base?: string; vector: string }[];
  sourceIds: (string | null)[];
  revoked?: boolean;
}

export interface ExpectedThreat {
  key: string;
  type: string;
  externalId: string | null;
  name: string | null;
  active?: boolean;
  threatTypeId?: number | null;
  riskLevel?: number | null;
}

export const readShared = (path: string): Buffer => readFileSync(resolve(folder ?? '', path));

const readJson = (path: string): unknown => JSON.parse(readShared(path).toString('utf8'));

export const sharedFiles = (): SharedFile[] =>
  sharedDataPresent ? (readJson('MANIFEST.json') as { files: SharedFile[] }).files : [];

interface Expected {
  vulnerabilities: ExpectedVulnerability[];
  threats: ExpectedThreat[];
}

export const expectedOf = (file: string): Expected =>
  readJson(`expected/${file.replace('/', '__')}.expected.json`) as Expected;

/** `{http://example.com}et-1` as `example:et-1`, the way the expected records write it. */
export function unexpander(file: string): (name: string) => string {
  const prefixes = new Map<string, string>();
  const declarations = readShared(file)
    .toString('utf8')
    .matchAll(/xmlns:([\w.-]+)\s*=\s*["']([^"']*)["']/g);
  for (const [, prefix = '', uri = ''] of declarations) {
    if (!prefixes.has(uri)) prefixes.set(uri, prefix);
  }
  return (name) => name.replace(/\{([^}]*)\}/, (_, uri: string) => `${prefixes.get(uri)}:`);
}

const anonymous = /^stix1:(?:anon-[a-z]+-?|[0-9a-f]{64}#(?:[a-z-]+))/;

/** Keys of objects without an id contain the file's hash; the reference numbers them differently, so they pair in order. */
export const comparableKey = (key: string): string =>
  anonymous.test(key) ? key.replace(/^.*?(#(?:ap|mw|tool)\[\d+\])?$/, 'anonymous$1') : key;
