import type { Selectable } from 'kysely';
import type { ThreatTable, VulnerabilityTable } from '@riskboard/db';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkImportReport, checkExtraction } from '../../testing/import-report.ts';
import {
  comparableKey,
  type ExpectedThreat,
  type ExpectedVulnerability,
  expectedOf,
  readShared,
  sharedDataPresent,
  type SharedFile,
  sharedFiles,
  unexpander,
} from '../../testing/shared-data.ts';
import { openHarnessDatabase, type TestHarness, type HarnessDatabase } from '../../testing/test-harness.ts';

/** The verdicts of the manifest, by the code of the job's error. */
const verdicts: Record<string, string> = {
  'empty-file': 'reject-malformed',
  malformed: 'reject-malformed',
  'not-stix': 'reject-not-stix',
  'no-stix-content': 'reject-no-stix-content',
};

/**
 * The reference used the name of an identity that an actor "Recruits From"; the mapping, section 5, requires the name of
 * the actor's own identity.
 */
const wrongNames: Record<string, string> = {
  'Harbin Institute of Technology (哈尔滨工业大学)': "People's Liberation Army Unit 61398",
};

function checkName(name: string, expected: string | null): void {
  if (expected === null) return expect(name).toMatch(/^(?:CVE-\d{4}-\d+|Unnamed .+)$/);
  expect(name).toBe(wrongNames[expected] ?? expected.trim());
}

/** The highest CVSS version counts; a vector overrides a score (mapping, section 4). */
function checkCvss(row: Selectable<VulnerabilityTable>, claims: ExpectedVulnerability['cvss']): void {
  const own = { vector: row.cvss_vector, version: row.cvss_version, score: row.cvss_score };
  expect(row.severity).toBe(own.score);
  if (claims.length === 0) return expect(own).toEqual({ vector: '', version: '', score: null });
  const versions = claims.map(({ version }) => Number(version ?? (row.cvss_version || 0)));
  const candidates = claims
    .filter((_, index) => versions[index] === Math.max(...versions))
    .map(({ vector, version, score, base }) => ({
      vector,
      version: version ?? row.cvss_version,
      score: score ?? Number(base),
    }));
  expect(candidates).toContainEqual(own);
}

function checkVulnerability(row: Selectable<VulnerabilityTable>, expected: ExpectedVulnerability): void {
  checkName(row.name, expected.name);
  expect(row.cve_id).toBe(expected.cve ?? '');
  expect(row.cwe.toSorted()).toEqual(expected.cwe.toSorted());
  checkCvss(row, expected.cvss);
}

function checkThreat(row: Selectable<ThreatTable>, expected: ExpectedThreat): void {
  checkName(row.name, expected.name);
  expect(row.kind).toBe(expected.type);
  expect(row.threat_id).toBe(expected.externalId ?? '');
  if ('threatTypeId' in expected) expect(row.threat_type_id).toBe(expected.threatTypeId);
  if ('riskLevel' in expected) expect(row.risk_level).toBe(expected.riskLevel);
}

/** Pairs of rows and expected records, by key. */
function pairs<R extends { key: string | null }, E extends { key: string }>(
  rows: R[],
  expected: E[],
  unexpand: (name: string) => string,
): [R, E][] {
  const waiting = Map.groupBy(rows, ({ key }) => comparableKey(unexpand(key ?? '')));
  expect(rows).toHaveLength(expected.length);
  return expected.map((item) => {
    const row = waiting.get(comparableKey(item.key))?.shift();
    if (row === undefined) throw new Error(`No row for ${item.key}`);
    return [row, item];
  });
}

async function checkRows(harness: TestHarness, { file, expectedByMapping }: SharedFile): Promise<void> {
  const { vulnerabilities, threats } = await harness.inside(async (trx) => ({
    vulnerabilities: await trx.selectFrom('vulnerability').selectAll().orderBy('id').execute(),
    threats: await trx.selectFrom('threat').selectAll().orderBy('id').execute(),
  }));
  for (const row of [...vulnerabilities, ...threats])
    expect(row).toMatchObject({ source_file: file, withdrawn: null, is_active: true });
  const expected = expectedOf(file);
  const unexpand = unexpander(file);
  const known = expected.vulnerabilities.filter(({ revoked }) => revoked !== true);
  for (const [row, item] of pairs(vulnerabilities, known, unexpand)) checkVulnerability(row, item);
  const active = expected.threats.filter(({ active }) => active !== false);
  for (const [row, item] of pairs(threats, active, unexpand)) checkThreat(row, item);
  if (!expectedByMapping) return;
  expect([vulnerabilities.length, threats.length]).toEqual([
    expectedByMapping.vulnerabilityRecords,
    expectedByMapping.threatRecords,
  ]);
}

describe.skipIf(!sharedDataPresent)(
  `real STIX files through the database${sharedDataPresent ? '' : ' (skipped: ../shared/data/stix is absent)'}`,
  () => {
    let harnesses: HarnessDatabase;
    beforeAll(async () => {
      harnesses = await openHarnessDatabase();
    });
    afterAll(() => harnesses.close());

    test('the manifest lists 63 files', () => {
      expect(sharedFiles()).toHaveLength(63);
    });

    test.each(sharedFiles().map((entry) => [entry.file, entry] as const))(
      '%s',
      { timeout: 120_000 },
      async (file, entry) => {
        const harness = await harnesses.open();
        const report = await harness.read(file, readShared(file));
        const parse = await harness.job(report.parseJobId);
        if (parse.state === 'failed') {
          expect(verdicts[parse.error_code ?? '']).toBe(entry.expect);
          expect(parse.error_message).toMatch(/^[A-Z].{10,}/);
          expect(parse.tries).toBe(1);
          return;
        }
        expect([parse.state, entry.expect]).toEqual(['succeeded', expect.stringMatching(/^accept/)]);
        await checkImportReport(harness, report.fileId);
        const first = await checkExtraction(harness, await harness.extract(report.fileId));
        await checkRows(harness, entry);
        expect(first).toMatchObject({ created: first.records - first.skipped, updated: 0, unchanged: 0 });
        const again = await checkExtraction(harness, await harness.extract(report.fileId));
        expect(again).toMatchObject({
          created: 0,
          updated: 0,
          unchanged: first.created,
          skipped: first.skipped,
        });
        if (file.includes('enterprise-attack'))
          expect(first).toMatchObject({ created: 1699, updated: 0, unchanged: 0, skipped: 162 });
      },
    );
  },
);
