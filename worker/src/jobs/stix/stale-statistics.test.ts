import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkExtraction } from '../../testing/import-report.ts';
import { orphans } from '../../testing/snapshot.ts';
import { bundle, manyVulnerabilities, threat } from '../../testing/stix2.ts';
import { openHarnessDatabase, type HarnessDatabase } from '../../testing/test-harness.ts';

const moments = ['empty', 'read', 'extracted', 'read again', 'extracted again', 'removed'] as const;

/**
 * Autovacuum may gather statistics at any time. If the table was empty then, or nothing was extracted yet, the planner may
 * choose the wrong index and read every record of the organisation for every record of the file, which takes minutes
 * instead of a second.
 */
describe.each(moments)('with table statistics from the state: %s', (moment) => {
  let harnesses: HarnessDatabase;
  let admin: Client;
  beforeAll(async () => {
    harnesses = await openHarnessDatabase();
    admin = new Client({ connectionString: harnesses.test.adminUrl });
    await admin.connect();
    // Only `analyze` below gathers statistics.
    for (const table of ['report_record', 'report_object', 'report_file', 'vulnerability', 'threat'])
      await admin.query(`alter table ${table} set (autovacuum_enabled = off)`);
  });
  afterAll(async () => {
    await admin.end();
    await harnesses.close();
  });

  it('import and deletion take no quadratic time', { timeout: 30_000 }, async () => {
    const harness = await harnesses.open();
    const reach = async (reached: (typeof moments)[number]) => {
      if (reached === moment)
        await admin.query('analyze report_record, report_object, report_file, vulnerability, threat');
    };
    const old = [...manyVulnerabilities(8000), ...Array.from({ length: 2000 }, () => threat())];
    const fresh = old.map((item) => ({ ...item, modified: '2025-01-01T00:00:00.000Z' }));
    await reach('empty');
    const first = await harness.read('first.json', bundle(old));
    await reach('read');
    await checkExtraction(harness, await harness.extract(first.fileId));
    await reach('extracted');
    const second = await harness.read('second.json', bundle(fresh));
    await reach('read again');
    const updated = await checkExtraction(harness, await harness.extract(second.fileId));
    expect(updated).toMatchObject({ updated: 10_000 });
    await reach('extracted again');
    await checkExtraction(harness, await harness.extract(first.fileId));
    await harness.remove(second.fileId);
    await reach('removed');
    await harness.remove(first.fileId);
    expect(await orphans(harness)).toEqual([]);
  });
});
