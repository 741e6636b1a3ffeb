import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundle, type StixObject, threat, vulnerability } from '../../testing/stix2.ts';
import { openHarnessDatabase, type TestHarness, type HarnessDatabase } from '../../testing/test-harness.ts';

let harnesses: HarnessDatabase;
let harness: TestHarness;
beforeAll(async () => {
  harnesses = await openHarnessDatabase();
});
afterAll(() => harnesses.close());
beforeEach(async () => {
  harness = await harnesses.open();
});

const shared = vulnerability({ cves: ['CVE-2024-1000'] });
const family = threat();
const only = (n: number) => vulnerability({ cves: [`CVE-2024-200${n}`] });
const first = bundle([shared, family, only(1)]);
const second = bundle([shared, family, only(2)]);

/** The report that each record names, and the transaction that wrote the record. */
async function sources() {
  const { rows } = await harness.inside((trx) =>
    sql<{ key: string; file: string; xmin: string }>`
      select key, source_file as file, xmin::text from vulnerability
      union all select 'threat', source_file, xmin::text from threat order by 1`.execute(trx),
  );
  return rows;
}
const files = async () => (await sources()).map(({ key, file }) => `${key} of ${file}`);

const named = (file: string) => [
  `cve:CVE-2024-1000 of ${file}`,
  'cve:CVE-2024-2001 of first.json',
  'cve:CVE-2024-2002 of second.json',
  `threat of ${file}`,
];

describe('records of two reports, of which the older one is uploaded again without an extraction', () => {
  beforeEach(async () => {
    await harness.extract((await harness.read('first.json', first)).fileId);
    await harness.extract((await harness.read('second.json', second)).fileId);
    harness.recorded.events.length = 0;
  });

  const readAgain = (objects: StixObject[]) => harness.read('first.json', bundle(objects));

  it('name it when it is unchanged', async () => {
    expect(await files()).toEqual(named('second.json'));
    await harness.read('first.json', first);
    expect(await files()).toEqual(named('first.json'));
    expect(harness.recorded.events).toContainEqual(
      expect.objectContaining({ type: 'vulnerability.changed', action: 'updated', count: 1 }),
    );
    expect(harness.recorded.events).toContainEqual(
      expect.objectContaining({ type: 'threat.changed', action: 'updated', count: 1 }),
    );
  });

  it('name it when its bytes are the same and another version of the reader had read them', async () => {
    await harness.inside((trx) => trx.updateTable('report_file').set({ reader: 0 }).execute());
    await harness.read('first.json', first);
    expect(await files()).toEqual(named('first.json'));
  });

  it('name it when it has changed', async () => {
    await readAgain([shared, family, only(1), only(3)]);
    expect(await files()).toEqual(named('first.json'));
  });

  it('name the other one when it no longer contains them', async () => {
    await readAgain([only(1)]);
    expect(await files()).toEqual(named('second.json'));
  });

  it('name it when its new content cannot be read', async () => {
    await harness.read('first.json', '{"type": "bundle", "objects": [');
    expect(await files()).toEqual(named('first.json'));
  });

  it('name a report that was uploaded since', async () => {
    const { parseJobId } = await harness.store('first.json', first);
    await harness.extract((await harness.read('second.json', second)).fileId);
    const before = await sources();
    await harness.run(parseJobId);
    expect(await sources()).toEqual(before);
    expect(await files()).toEqual(named('second.json'));
  });

  it('are not written when they name it already', async () => {
    const before = await sources();
    await harness.read('second.json', second);
    expect(await sources()).toEqual(before);
  });
});
