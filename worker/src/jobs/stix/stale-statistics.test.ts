import { recordRowsVisited, type StatementWork } from '@riskboard/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkExtraction } from '../../testing/import-report.ts';
import { orphans } from '../../testing/snapshot.ts';
import { bundle, manyVulnerabilities, relationship, threat } from '../../testing/stix2.ts';
import { type HarnessDatabase, openHarnessDatabase } from '../../testing/test-harness.ts';

const moments = [
  'of empty tables',
  'of other organizations only',
  'after the first parse',
  'after the first extraction',
  'after the second extraction',
] as const;
const tables = ['report_record', 'report_object', 'report_file', 'vulnerability', 'threat'];

const objects = [...manyVulnerabilities(400), ...Array.from({ length: 200 }, () => threat())];
const newer = objects.map((item) => ({ ...item, modified: '2025-01-01T00:00:00.000Z' }));
/** Rows that one statement may read per object of the report; a quadratic one reads hundreds. */
const rowsPerObject = 40;

/** Records of another organization and its report: a table of few rows may be read as a whole. */
async function fillOther(admin: Client): Promise<void> {
  await admin.query('set session_replication_role = replica');
  for (const table of ['vulnerability', 'threat'])
    await admin.query(
      `with made as (
        insert into ${table} (organization_id, id, key, name, source_file)
        select md5('other')::uuid, gen_random_uuid(), 'other:' || n, 'No. ' || n, 'other.json' from generate_series(1, 4000) n
        returning organization_id, id, key, name
      )
      insert into report_record
        (organization_id, file_id, id, kind, key, ordinal, type, state, location, name, data, ${table}_id)
      select organization_id, md5('file')::uuid, gen_random_uuid(), $1, key, 1, 'malware', 'active', '/', name, '{}', id from made`,
      [table],
    );
}

// Autovacuum may gather statistics at any time. If they do not know the organization, its files or its extracted records
// yet, the planner must not choose an index that reads every record of the organization for each record of the file.
describe('a report of an organization that the table statistics do not know yet', () => {
  let harnesses: HarnessDatabase;
  let admin: Client;
  let statements: () => StatementWork[];
  const analyze = () => admin.query(`analyze ${tables.join(', ')}`);
  beforeAll(async () => {
    harnesses = await openHarnessDatabase();
    statements = await recordRowsVisited(harnesses.test, harnesses.database.pool);
    admin = new Client({ connectionString: harnesses.test.adminUrl });
    await admin.connect();
    // Only `analyze` below gathers statistics.
    for (const table of tables) await admin.query(`alter table ${table} set (autovacuum_enabled = off)`);
    await analyze();
    await fillOther(admin);
  });
  afterAll(async () => {
    await admin.end();
    await harnesses.close();
  });

  it.each(moments)('is imported and deleted without quadratic work: statistics %s', async (moment) => {
    const reach = async (reached: (typeof moments)[number]) => {
      if (reached === moment) await analyze();
    };
    await reach('of other organizations only');
    const harness = await harnesses.open();
    const watched = async <T>(work: () => Promise<T>): Promise<T> => {
      statements();
      const result = await work();
      const [most] = statements();
      expect(most?.rows ?? 0, `${most?.text} ${JSON.stringify(most?.plan)}`).toBeLessThan(
        rowsPerObject * objects.length,
      );
      return result;
    };
    const first = await watched(() => harness.read('first.json', bundle(objects)));
    await reach('after the first parse');
    await checkExtraction(harness, await watched(() => harness.extract(first.fileId)));
    await reach('after the first extraction');
    const second = await watched(() => harness.read('second.json', bundle(newer)));
    const updated = await checkExtraction(harness, await watched(() => harness.extract(second.fileId)));
    expect(updated).toMatchObject({ updated: objects.length });
    await reach('after the second extraction');
    await checkExtraction(harness, await watched(() => harness.extract(first.fileId)));
    await watched(() => harness.read('second.json', bundle(newer.slice(300))));
    await watched(() => harness.remove(second.fileId));
    await watched(() => harness.remove(first.fileId));
    expect(await orphans(harness)).toEqual([]);
  });
});

// The planner expects one record of each organization in a table of few rows, and may read what the reports say again for
// each: 21 million rows here.
it('a report among others with the same records is replaced and deleted without quadratic work', async () => {
  const harnesses = await openHarnessDatabase();
  const admin = new Client({ connectionString: harnesses.test.adminUrl });
  try {
    await admin.connect();
    const statements = await recordRowsVisited(harnesses.test, harnesses.database.pool);
    const harness = await harnesses.open();
    const extract = async (name: string, content: Parameters<typeof bundle>[0]) => {
      const { fileId } = await harness.read(name, bundle(content));
      await harness.extract(fileId);
      return fileId;
    };
    await extract(
      'others.json',
      Array.from({ length: 100 }, () => threat()),
    );
    const shared = [...manyVulnerabilities(10), ...Array.from({ length: 40 }, () => threat())];
    const files: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const modified = `2024-02-0${n + 1}T00:00:00.000Z`;
      files.push(
        await extract(
          `${n}.json`,
          shared.map((item) => ({ ...item, modified })),
        ),
      );
    }
    await admin.query(`analyze ${tables.join(', ')}`);
    statements();
    await harness.read('3.json', bundle([threat()]));
    await harness.remove(files[4] ?? '');
    const [most] = statements();
    expect(most?.rows, `${most?.text} ${JSON.stringify(most?.plan)}`).toBeLessThan(200_000);
  } finally {
    await admin.end();
    await harnesses.close();
  }
});

// Vacuum then notes pages without rows, and the planner expects one row of every table.
it('a report that is imported and deleted after all others were deleted makes no quadratic work', async () => {
  const harnesses = await openHarnessDatabase();
  const statements = await recordRowsVisited(harnesses.test, harnesses.database.pool);
  const admin = new Client({ connectionString: harnesses.test.adminUrl });
  await admin.connect();
  try {
    for (const table of tables) await admin.query(`alter table ${table} set (autovacuum_enabled = off)`);
    const harness = await harnesses.open();
    const before = await harness.read('before.json', bundle(objects));
    await harness.extract(before.fileId);
    await harness.remove(before.fileId);
    for (const table of tables) await admin.query(`vacuum (truncate off, analyze) ${table}`);
    statements();
    const { fileId } = await harness.read('first.json', bundle(objects));
    await harness.extract(fileId);
    await harness.remove(fileId);
    const [most] = statements();
    expect(most?.rows, `${most?.text} ${JSON.stringify(most?.plan)}`).toBeLessThan(
      rowsPerObject * objects.length,
    );
  } finally {
    await admin.end();
    await harnesses.close();
  }
});

// No statistics know the relationships that a parse has just stored.
it.each(['each once', 'each in two versions'])(
  'a report of many relationships makes no quadratic work: %s',
  async (versions) => {
    const harnesses = await openHarnessDatabase();
    const statements = await recordRowsVisited(harnesses.test, harnesses.database.pool);
    try {
      const harness = await harnesses.open();
      const source = threat();
      const targets = manyVulnerabilities(20);
      const relations = Array.from({ length: 1500 }, (_, n) =>
        relationship('exploits', source, targets[n % targets.length] ?? source),
      );
      const older = relations.map((item) => ({ ...item, modified: '2001-01-01T00:00:00.000Z' }));
      const isRepeated = versions === 'each in two versions';
      statements();
      const { parseJobId } = await harness.read(
        'relations.json',
        bundle([source, ...targets, ...relations, ...(isRepeated ? older : [])]),
      );
      const [most] = statements();
      expect((await harness.job(parseJobId)).result).toMatchObject({
        superseded: isRepeated ? older.length : 0,
      });
      expect(most?.rows, `${most?.text} ${JSON.stringify(most?.plan)}`).toBeLessThan(
        rowsPerObject * relations.length,
      );
    } finally {
      await harnesses.close();
    }
  },
);

it('a report of vulnerabilities that another report withdraws is extracted without quadratic work', async () => {
  const harnesses = await openHarnessDatabase();
  const statements = await recordRowsVisited(harnesses.test, harnesses.database.pool, { aboveMs: 0 });
  try {
    const harness = await harnesses.open();
    const known = manyVulnerabilities(400);
    const revoked = known.map((item) => ({ ...item, modified: '2025-01-01T00:00:00.000Z', revoked: true }));
    for (const [name, content] of [
      ['known.json', known],
      ['revoked.json', revoked],
    ] as const) {
      const { fileId } = await harness.read(name, bundle(content));
      await harness.extract(fileId);
    }
    const { fileId } = await harness.read('others.json', bundle(manyVulnerabilities(known.length)));
    statements();
    await harness.extract(fileId);
    const [most] = statements();
    // One statement merges what the reports say, in several steps.
    expect(most?.rows, `${most?.text} ${JSON.stringify(most?.plan)}`).toBeLessThan(100 * known.length);
  } finally {
    await harnesses.close();
  }
});
