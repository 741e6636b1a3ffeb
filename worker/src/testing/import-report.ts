import { ExtractResult, ParseResult } from '@riskboard/contract/schemas';
import { type JobRow, objectsWithoutRecord, withdrawnObjects } from '@riskboard/db';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { TestHarness } from './test-harness.ts';

const sum = (numbers: (number | null)[]): number =>
  numbers.reduce<number>((total, number) => total + (number ?? 0), 0);

const fileOf = (harness: TestHarness, fileId: string) =>
  harness.inside((trx) =>
    trx.selectFrom('report_file').selectAll().where('id', '=', fileId).executeTakeFirstOrThrow(),
  );

/** Counts the rows of a report. `intersect` does not compare every pair, as a join of tables without statistics does. */
async function countRows(harness: TestHarness, fileId: string) {
  const { rows } = await harness.inside((trx) =>
    sql<Record<string, number>>`
      with r as (select * from report_record where file_id = ${fileId}), o as (select * from ${sql.raw(objectsWithoutRecord)} object where file_id = ${fileId}),
        w as (select * from ${sql.raw(withdrawnObjects)} withdrawn where file_id = ${fileId})
      select
        (select count(*)::int from o where outcome = 'unmapped') as unmapped,
        (select count(*)::int from o where outcome = 'failed') as failed,
        (select count(*)::int from o where outcome = 'superseded') as superseded,
        (select count(*)::int from w where state = 'revoked') as revoked,
        (select count(*)::int from w where state = 'deprecated') as deprecated,
        (select count(*)::int from r where state = 'active' and kind = 'vulnerability') as "vulnerabilityRecords",
        (select count(*)::int from r where state = 'active' and kind = 'threat') as "threatRecords",
        (select count(*)::int from r join vulnerability v on v.id = r.vulnerability_id) as vulnerabilities,
        (select count(*)::int from r join threat t on t.id = r.threat_id) as threats,
        (select count(*)::int from (select ordinal from o intersect select ordinal from r) common) as both,
        (select coalesce(max(ordinal), -1) from o) as last`.execute(trx),
  );
  const [counts] = rows;
  if (!counts) throw new Error('No counts');
  return counts;
}

type Listed = 'unmapped' | 'failed' | 'superseded';

const listedOf = (row: Record<Listed, number> & { type: string }): string[] =>
  (['unmapped', 'failed', 'superseded'] as const)
    .filter((outcome) => row[outcome] > 0)
    .map((outcome) => `${row.type} ${outcome} ${row[outcome]}`);

/**
 * The listed objects of a file by type and outcome, as `listedOf` returns them; those of types that are not among `known` are
 * counted as other ones.
 */
async function listedByType(
  harness: TestHarness,
  fileId: string,
  known: readonly string[],
): Promise<string[]> {
  const { rows } = await harness.inside((trx) =>
    sql<{ line: string }>`
      select concat_ws(' ', name, outcome, count(*)) as line from (
        select case when type = any (${known}::text[]) then type else '(other)' end as name, outcome
        from ${sql.raw(objectsWithoutRecord)} object where file_id = ${fileId}
      ) listed group by name, outcome`.execute(trx),
  );
  return rows.map(({ line }) => line).toSorted();
}

/**
 * Checks the counts of a parsed report: objects = mapped + unmapped + failed + superseded, in total and by type; each object
 * that is not mapped is listed once; counters equal the number of rows.
 */
export async function checkImportReport(harness: TestHarness, fileId: string): Promise<void> {
  const file = await fileOf(harness, fileId);
  const { vulnerabilities, threats, both, last, ...counts } = await countRows(harness, fileId);
  expect(sum([file.mapped, file.unmapped, file.failed, file.superseded])).toBe(file.object_count);
  expect(sum(Object.values(file.objects ?? {}))).toBe(file.object_count);
  const byType = (file.by_type ?? []) as (Record<'total' | 'mapped' | Listed, number> & { type: string })[];
  const totals = (field: 'total' | 'mapped' | Listed) => sum(byType.map((row) => row[field]));
  expect(totals('total')).toBe(file.object_count);
  for (const field of ['mapped', 'unmapped', 'failed', 'superseded'] as const)
    expect(totals(field)).toBe(file[field]);
  expect(byType.flatMap(listedOf).toSorted()).toEqual(
    await listedByType(
      harness,
      fileId,
      byType.map(({ type }) => type),
    ),
  );
  expect(both).toBe(0);
  expect(last).toBeLessThan(file.object_count ?? 0);
  const { unmapped, failed, superseded, revoked, deprecated } = file;
  const stored = { unmapped, failed, superseded, revoked, deprecated };
  const records = { vulnerabilityRecords: file.vulnerability_records, threatRecords: file.threat_records };
  expect({ ...stored, ...records }).toEqual(counts);
  expect([file.vulnerability_count, file.threat_count]).toEqual([vulnerabilities, threats]);
  const parse = await harness.job(file.parse_job_id);
  const {
    objects,
    mapped,
    warnings,
    stixVersion,
    wrapper,
    removed: _removed,
    ...result
  } = ParseResult.parse(parse.result);
  expect(result).toEqual(counts);
  expect([objects, mapped]).toEqual([file.object_count, file.mapped]);
  const found = sum(file.warnings.map((warning) => warning.count));
  expect([stixVersion, wrapper, warnings]).toEqual([file.stix_version, file.wrapper, found]);
}

/** Checks the counts of an extraction: records = created + updated + unchanged + skipped, of the job and of each kind. */
export async function checkExtraction(harness: TestHarness, job: JobRow): Promise<ExtractResult> {
  expect(job).toMatchObject({ state: 'succeeded', phase: 'done', error_code: null });
  const result = ExtractResult.parse(job.result);
  const fields = ['created', 'updated', 'unchanged', 'skipped'] as const;
  expect(sum(fields.map((field) => result[field]))).toBe(result.records);
  const kinds = Object.values(result.byKind);
  for (const field of fields) expect(sum(kinds.map((counts) => counts[field]))).toBe(result[field]);
  expect(result.createdIds).toHaveLength(Math.min(1000, result.created));
  expect(result.issues).toHaveLength(Math.min(200, result.skipped));
  const file = await fileOf(harness, job.file_id ?? '');
  const all = [file.vulnerability_records, file.threat_records, file.revoked, file.deprecated];
  if (result.kinds.length === 2) expect(result.records).toBe(sum(all));
  await checkImportReport(harness, file.id);
  return result;
}
