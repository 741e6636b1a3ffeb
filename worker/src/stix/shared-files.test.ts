import { readFileSync } from 'node:fs';
import { resolve as pathOf } from 'node:path';
import {
  JsonVersionScan,
  sniffReport,
  type ThreatData,
  type VulnerabilityData,
  XmlVersionScan,
} from '@riskboard/domain';
import { referenceData } from '@riskboard/testing';
import { describe, expect, test } from 'vitest';
import { ReportError } from './report-error.ts';
import type { ReportRecord } from './report-sink.ts';
import { readAll, resolve, type ReadResult } from '../testing/test-sink.ts';

const found = referenceData('stix');
const present = found !== undefined;
const folder = found ?? '';

interface ByMapping {
  vulnerabilityRecords: number;
  threatRecords: number;
  threatRecordsByType: Record<string, number>;
  threatRecordsInactive: number;
  cves: string[];
  threatTypeIds: Record<string, number>;
  threatsWithRiskLevel: number;
  vulnerabilitiesWithCvss: number;
  vulnerabilitiesWithCwe: number;
  stats: { revoked?: number; deprecated?: number };
}

interface Entry {
  file: string;
  expect: string;
  format: 'json' | 'xml';
  stixVersion: string | null;
  wrapper: string | null;
  objects: Record<string, number>;
  objectTotal?: number;
  expectedByMapping?: ByMapping;
}

interface ExpectedVulnerability {
  key: string;
  cve: string | null;
  name: string | null;
  hasDescription: boolean;
  cwe: string[];
  cvss: { version: string | null; score?: number; base?: string; overall?: string | null; vector: string }[];
  sourceIds: (string | null)[];
  revoked?: boolean;
  cveIdText?: string[];
}

interface ExpectedThreat {
  key: string;
  type: string;
  externalId: string | null;
  name: string | null;
  active?: boolean;
  sourceId?: string;
  threatTypeId?: number | null;
  riskLevel?: number | null;
  motivation?: string[];
  primary_motivation?: string;
  sophistication?: string | string[];
  resource_level?: string;
  goals?: string[];
  objective?: string;
  intendedEffect?: string[];
  actorType?: string[];
  malware_types?: string[];
  malwareTypes?: string[];
  threat_actor_types?: string[];
  x_capec_likelihood_of_attack?: string;
  x_capec_typical_severity?: string;
}

interface Expected {
  vulnerabilities: ExpectedVulnerability[];
  threats: ExpectedThreat[];
}

const parse = (path: string): unknown => JSON.parse(readFileSync(pathOf(folder, path), 'utf8'));
const entries = present ? (parse('MANIFEST.json') as { files: Entry[] }).files : [];

/** The verdicts of the manifest, by the code of the error. */
const verdicts: Record<string, string> = {
  'empty-file': 'reject-malformed',
  malformed: 'reject-malformed',
  'not-stix': 'reject-not-stix',
  'no-stix-content': 'reject-no-stix-content',
};

/** The mapping, section 1, decides what the manifest leaves open: a bundle without spec_version is 2.1. */
const versionOf = ({ stixVersion }: Entry): string | null =>
  stixVersion?.startsWith('2.x') === true ? '2.1' : stixVersion;

/**
 * The reference used the first Name below the actor's Identity, here of a university that APT1 "Recruits From"
 * (Related_Identity). The mapping, section 5, requires the name of the actor's own identity.
 */
const wrongNames: Record<string, string> = {
  'Harbin Institute of Technology (哈尔滨工业大学)': "People's Liberation Army Unit 61398",
};

/** `{http://example.com}et-1` as `example:et-1`, the way the expected records write it. */
function unexpander(file: string): (name: string) => string {
  const prefixes = new Map<string, string>();
  for (const [, prefix = '', uri = ''] of readFileSync(pathOf(folder, file), 'utf8').matchAll(
    /xmlns:([\w.-]+)\s*=\s*["']([^"']*)["']/g,
  )) {
    if (!prefixes.has(uri)) prefixes.set(uri, prefix);
  }
  return (name) => name.replace(/\{([^}]*)\}/, (_, uri: string) => `${prefixes.get(uri)}:`);
}

/** Keys of objects without an id contain the file's hash; the reference numbers them differently, so they pair in order. */
const anonymous = /^stix1:(?:anon-[a-z]+-?|[0-9a-f]{64}#(?:[a-z-]+))/;
const comparableKey = (key: string): string =>
  anonymous.test(key) ? key.replace(/^.*?(#(?:ap|mw|tool)\[\d+\])?$/, 'anonymous$1') : key;

function checkName(record: ReportRecord, expected: string | null): void {
  // The mapping trims names, such as CAPEC's "Install Rootkit ".
  if (expected !== null) return expect(record.name).toBe(wrongNames[expected] ?? expected.trim());
  expect(record.name).toMatch(/^(?:CVE-\d{4}-\d+|Unnamed .+)$/);
}

function checkVulnerability(record: ReportRecord, expected: ExpectedVulnerability): void {
  expect(record.kind).toBe('vulnerability');
  const data = record.data as VulnerabilityData;
  checkName(record, expected.name);
  expect(data.cveId ?? null).toBe(expected.cve);
  expect(data.description !== undefined).toBe(expected.hasDescription);
  expect((data.cwe ?? []).toSorted()).toEqual(expected.cwe.toSorted());
  const claims = (data.cvss ?? []).map(({ version, score, vector }) => ({ version, score, vector }));
  const wanted = expected.cvss.map(({ version, score, base, vector }) => ({
    version,
    score: score ?? Number(base),
    vector,
  }));
  expect(claims).toEqual(wanted);
  if (expected.revoked !== undefined) expect(record.state === 'revoked').toBe(expected.revoked);
  if (expected.cveIdText !== undefined) expect([data.cveIdText]).toEqual(expected.cveIdText);
}

const list = (value: string | string[] | undefined): string[] =>
  (typeof value === 'string' ? [value] : (value ?? [])).filter((word) => word !== 'Unknown');

function checkThreat(record: ReportRecord, expected: ExpectedThreat): void {
  expect(record.kind).toBe('threat');
  const data = record.data as ThreatData;
  checkName(record, expected.name);
  expect(record.type).toBe(expected.type);
  expect(data.threatId ?? null).toBe(expected.externalId);
  if ('threatTypeId' in expected) expect(data.threatTypeId ?? null).toBe(expected.threatTypeId);
  if ('riskLevel' in expected) expect(data.riskLevel ?? null).toBe(expected.riskLevel);
  if (expected.active !== undefined) expect(record.state === 'active').toBe(expected.active);
  if (expected.sourceId !== undefined) expect(record.stixId).toBe(expected.sourceId);
  const containsAll = (text: string | undefined, terms: string[]): void => {
    for (const term of terms) expect(text).toContain(term.replaceAll(/\s+/g, ' ').trim());
  };
  containsAll(data.motivation, [...list(expected.motivation), ...list(expected.primary_motivation)]);
  containsAll(data.capability, [...list(expected.sophistication), ...list(expected.resource_level)]);
  containsAll(data.objective?.replaceAll(/\s+/g, ' '), [
    ...list(expected.goals),
    ...list(expected.objective),
  ]);
  containsAll(data.intent, list(expected.intendedEffect));
  const kinds = [
    expected.actorType,
    expected.malware_types,
    expected.malwareTypes,
    expected.threat_actor_types,
  ];
  const labels = data.labels?.map((label) => label.trim());
  expect(labels ?? []).toEqual(expect.arrayContaining(kinds.flatMap(list)));
  expect(data.likelihoodText).toBe(expected.x_capec_likelihood_of_attack);
  containsAll(data.impactText, list(expected.x_capec_typical_severity));
}

/** Pairs records with expected records by key; those without an id pair by kind in file order. */
function pairs<T extends { key: string }>(
  records: readonly ReportRecord[],
  expected: readonly T[],
  unexpand: (name: string) => string,
): [ReportRecord, T][] {
  const waiting = Map.groupBy(records, ({ key }) => comparableKey(unexpand(key)));
  return expected.map((item) => {
    const record = waiting.get(comparableKey(item.key))?.shift();
    if (record === undefined) throw new Error(`No record for ${item.key}`);
    return [record, item];
  });
}

function checkCounts(records: readonly ReportRecord[], counts: ByMapping): void {
  const active = records.filter(({ state }) => state === 'active');
  const threats = active.filter(({ kind }) => kind === 'threat');
  const vulnerabilities = active.filter(({ kind }) => kind === 'vulnerability');
  const tally = (values: string[]): Record<string, number> =>
    Object.fromEntries([...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]));
  const threatData = threats.map(({ data }) => data as ThreatData);
  const vulnerabilityData = vulnerabilities.map(({ data }) => data as VulnerabilityData);
  expect({
    vulnerabilityRecords: vulnerabilities.length,
    threatRecords: threats.length,
    threatRecordsByType: tally(threats.map(({ type }) => type)),
    threatRecordsInactive: records.length - active.length,
    cves: vulnerabilityData.flatMap(({ cveId }) => cveId ?? []).toSorted(),
    threatTypeIds: tally(threatData.map(({ threatTypeId }) => String(threatTypeId ?? 'None'))),
    threatsWithRiskLevel: threatData.filter(({ riskLevel }) => riskLevel !== undefined).length,
    vulnerabilitiesWithCvss: vulnerabilityData.filter(({ cvss }) => cvss !== undefined).length,
    vulnerabilitiesWithCwe: vulnerabilityData.filter(({ cwe }) => cwe !== undefined).length,
  }).toEqual({
    vulnerabilityRecords: counts.vulnerabilityRecords,
    threatRecords: counts.threatRecords,
    threatRecordsByType: counts.threatRecordsByType,
    threatRecordsInactive: counts.threatRecordsInactive,
    cves: counts.cves.toSorted(),
    threatTypeIds: counts.threatTypeIds,
    threatsWithRiskLevel: counts.threatsWithRiskLevel,
    vulnerabilitiesWithCvss: counts.vulnerabilitiesWithCvss,
    vulnerabilitiesWithCwe: counts.vulnerabilitiesWithCwe,
  });
  const { revoked = 0, deprecated = 0 } = counts.stats;
  const states = tally(records.map(({ state }) => state));
  expect([states['revoked'] ?? 0, states['deprecated'] ?? 0]).toEqual([revoked, deprecated]);
}

function checkFile(entry: Entry, { summary, objects, records }: ReadResult): void {
  expect(summary.media).toBe(entry.format);
  expect(summary.wrapper).toBe(entry.wrapper);
  expect(summary.stixVersion).toBe(versionOf(entry));
  expect(summary.objects).toEqual(entry.objects);
  const total = Object.values(entry.objects).reduce((sum, count) => sum + count, 0);
  expect(summary.objectTotal).toBe(entry.objectTotal ?? total);
  expect(summary.mapped + summary.unmapped + summary.failed).toBe(summary.objectTotal);
  expect(summary.failed).toBe(0);
  expect(objects.map(({ ordinal }) => ordinal)).toEqual(objects.map((_, index) => index));
  expect(summary.warnings.length).toBeGreaterThanOrEqual(entry.expect === 'accept-with-warning' ? 1 : 0);
  const resolved = resolve(records);
  const expected = parse(`expected/${entry.file.replace('/', '__')}.expected.json`) as Expected;
  const unexpand = unexpander(entry.file);
  const byKind = (kind: string): ReportRecord[] => resolved.filter((record) => record.kind === kind);
  expect(resolved).toHaveLength(expected.vulnerabilities.length + expected.threats.length);
  for (const [record, item] of pairs(byKind('vulnerability'), expected.vulnerabilities, unexpand)) {
    checkVulnerability(record, item);
    const ids = (record.data.sourceIds ?? []).map(unexpand);
    expect(ids).toEqual(item.sourceIds.filter((id) => id !== null));
  }
  for (const [record, item] of pairs(byKind('threat'), expected.threats, unexpand)) checkThreat(record, item);
  if (entry.expectedByMapping !== undefined) checkCounts(resolved, entry.expectedByMapping);
}

const rows = entries.map((entry) => [entry.file, entry] as const);
const accepted = rows.filter(([, entry]) => entry.expect.startsWith('accept'));
const refused = rows.filter(([, entry]) => entry.expect.startsWith('reject'));

function headOf(file: string): { head: string; complete: boolean } {
  const bytes = readFileSync(pathOf(folder, file));
  return { head: bytes.subarray(0, 65_536).toString(), complete: bytes.length <= 65_536 };
}

describe.skipIf(!present)(
  `real STIX files${present ? '' : ' (skipped: ../shared/data/stix is absent)'}`,
  () => {
    test('the manifest lists 63 files', () => {
      expect(entries).toHaveLength(63);
    });

    test.each(accepted)('%s is mapped as specified', async (file, entry) => {
      expect.hasAssertions();
      checkFile(entry, await readAll(readFileSync(pathOf(folder, file))));
    });

    test.each(accepted)('%s has the same version at the upload', (file, entry) => {
      const bytes = readFileSync(pathOf(folder, file));
      const json = new JsonVersionScan();
      const xml = new XmlVersionScan();
      if (entry.format === 'json') json.push(bytes);
      else xml.push(bytes.toString());
      expect(entry.format === 'json' ? json.end() : xml.end()).toBe(versionOf(entry));
    });

    test.each(refused)('%s is rejected', async (file, entry) => {
      const reading = readAll(readFileSync(pathOf(folder, file)));
      await expect(reading).rejects.toThrow(ReportError);
      const error: unknown = await reading.catch((cause: unknown) => cause);
      expect(verdicts[(error as ReportError).code]).toBe(entry.expect);
    });

    test.each(accepted)('the head of %s is accepted', (file) => {
      const { head, complete } = headOf(file);
      expect(sniffReport(head, complete)).toHaveProperty('media');
    });

    test.each(refused.filter(([, { expect }]) => expect !== 'reject-malformed'))(
      'the head of %s is rejected',
      (file) => {
        const { head, complete } = headOf(file);
        expect(sniffReport(head, complete)).toHaveProperty('refusal.message');
      },
    );
  },
);
