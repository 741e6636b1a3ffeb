import { cancelJobs } from '@riskboard/db';
import { jobCancelledTopic } from '@riskboard/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stixParse } from './parse.ts';
import { handlers } from '../handlers.ts';
import type { JobHandler } from '../run/context.ts';
import { readerVersion } from '../../stix/reader-version.ts';
import { checkImportReport } from '../../testing/import-report.ts';
import { crashPoint, stopBeforeCommit, lockWaits, silence } from '../../testing/crash-points.ts';
import { listedObjects } from '../../testing/listed-objects.ts';
import { orphans, rowCounts, snapshot } from '../../testing/snapshot.ts';
import { stix1Package } from '../../testing/stix1.ts';
import {
  bundle,
  bundle20,
  cveReference,
  manyVulnerabilities,
  object,
  relationship,
  type StixObject,
  threat,
  vulnerability,
} from '../../testing/stix2.ts';
import { removeFile, saveFile, storeContent } from '../../testing/store-report.ts';
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

/** Parses a report and checks its counts. @returns its records by key */
async function recordsOf(content: string, name = 'a.json') {
  const { fileId } = await harness.read(name, content);
  await checkImportReport(harness, fileId);
  return harness.inside((trx) =>
    trx.selectFrom('report_record').selectAll().where('file_id', '=', fileId).orderBy('ordinal').execute(),
  );
}

const listed = () => listedObjects(harness);

const v31 = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
const v31Low = 'CVSS:3.1/AV:L/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N';

describe('several versions of one object', () => {
  const id = 'vulnerability--11111111-1111-4111-8111-111111111111';
  const version = (modified: string, name: string): StixObject => vulnerability({ id, modified, name });
  const older = version('2024-02-01T00:00:00Z', 'older');
  const newer = version('2024-03-01T00:00:00Z', 'newer');
  const envelope = (objects: StixObject[]): string =>
    JSON.stringify({ objects: objects.map((item) => ({ ...item, spec_version: undefined })) });
  const silentBundle = (objects: StixObject[]): string =>
    bundle(objects.map((item) => ({ ...item, spec_version: undefined })));

  const isNewer = (at: number): string => `A newer version of the same object is at /objects/${at}`;
  const isRepeated = 'The same version of the object occurs again at /objects/1';
  const untimed = { ...older, modified: undefined };

  it.each([
    ['2.1, newest last', bundle([older, newer]), 'newer', '/objects/0', isNewer(1)],
    ['2.1, newest first', bundle([newer, older]), 'newer', '/objects/1', isNewer(0)],
    ['2.0', bundle20([newer, older]), 'newer', '/objects/1', isNewer(0)],
    ['a bundle that names no version', silentBundle([newer, older]), 'newer', '/objects/1', isNewer(0)],
    ['an envelope of 2.0 objects', envelope([newer, older]), 'newer', '/objects/1', isNewer(0)],
    ['equal times: the last', bundle([older, { ...older, name: 'last' }]), 'last', '/objects/0', isRepeated],
    ['one without time', bundle([untimed, older]), 'older', '/objects/0', isNewer(1)],
    ['both without time', bundle([untimed, untimed]), 'older', '/objects/0', isRepeated],
  ])('%s', async (_what, content, name, location, reason) => {
    expect((await recordsOf(content)).map((record) => record.name)).toEqual([name]);
    expect(await listed()).toMatchObject([{ outcome: 'superseded', location, stix_id: id, reason }]);
  });

  it('a relationship that is repeated has the same reason', async () => {
    const relation = relationship('targets', threat({}), older);
    await recordsOf(bundle([relation, relation]));
    expect(await listed()).toMatchObject([
      { outcome: 'superseded', location: '/objects/0', reason: isRepeated },
    ]);
  });

  it('an older version with two CVEs counts as one superseded object', async () => {
    const two = { ...older, external_references: ['CVE-2020-1001', 'CVE-2020-1002'].map(cveReference) };
    expect(await recordsOf(bundle([two, newer]))).toHaveLength(1);
    expect(await listed()).toHaveLength(1);
  });
});

describe('several objects with the key of one record', () => {
  it('are merged: the first value of each field, and all ids', async () => {
    const first = vulnerability({ cves: ['CVE-2020-1001'], name: 'First' });
    const second = vulnerability({
      cves: ['CVE-2020-1001'],
      name: 'Second',
      description: 'Described by the second',
    });
    const third = vulnerability({
      cves: ['CVE-2020-1001'],
      description: 'Described by the third',
      modified: '2024-05-01T00:00:00Z',
    });
    const [record, ...others] = await recordsOf(bundle([first, second, third]));
    expect(others).toEqual([]);
    expect(record).toMatchObject({
      key: 'cve:CVE-2020-1001',
      name: 'First',
      ordinal: 0,
      source_ids: [first.id, second.id, third.id],
      modified: new Date('2024-05-01T00:00:00Z'),
      data: { cveId: 'CVE-2020-1001', description: 'Described by the second' },
    });
  });

  it('are merged to a score with its vector, or the first score where none has a vector', async () => {
    const scored = vulnerability({ cves: ['CVE-2020-1001'], x_misp_cvss_score: '6.8' });
    const measured = vulnerability({ cves: ['CVE-2020-1001'], vector: v31 });
    const [record] = await recordsOf(bundle([scored, measured]));
    expect(record?.data).toMatchObject({ base: { score: 9.8, vector: v31, version: '3.1' } });
    expect(record?.data).not.toHaveProperty('base.source', 'x_misp_cvss_score');
    const [other] = await recordsOf(
      bundle([measured, vulnerability({ cves: ['CVE-2020-1001'], vector: v31Low })]),
      'b',
    );
    expect(other?.data).toMatchObject({ base: { score: 9.8, vector: v31, version: '3.1' } });
    const bare = [scored, vulnerability({ cves: ['CVE-2020-1001'], x_misp_cvss_score: '9.1' })];
    const [third] = await recordsOf(bundle(bare), 'c');
    expect(third?.data).toMatchObject({ base: { score: 6.8, source: 'x_misp_cvss_score' } });
  });

  it('are merged to an active record if one of them is active', async () => {
    const revoked = vulnerability({ cves: ['CVE-2020-1001'], revoked: true, name: 'Withdrawn' });
    const records = await recordsOf(
      bundle([revoked, vulnerability({ cves: ['CVE-2020-1001'], name: 'Alive' })]),
    );
    expect(records).toMatchObject([{ state: 'active', name: 'Alive' }]);
  });
});

it('an object with two CVEs becomes two records', async () => {
  const both = vulnerability({ cves: ['CVE-2020-1001', 'CVE-2020-1002'], name: 'A pair' });
  const records = await recordsOf(bundle([both]));
  expect(records.map(({ key, ordinal, name }) => [key, ordinal, name])).toEqual([
    ['cve:CVE-2020-1001', 0, 'A pair'],
    ['cve:CVE-2020-1002', 0, 'A pair'],
  ]);
});

it('a STIX 1.1.1 package becomes a record for each vulnerability and actor', async () => {
  const content = stix1Package(
    [[{ title: 'Two holes', cve: 'CVE-2012-4681;CVE-2013-2423' }, { title: 'No number' }]],
    ['Aurora Panda'],
  );
  const records = await recordsOf(content, 'a.xml');
  expect(records.map(({ key, name, stix_version }) => [key, name, stix_version])).toEqual([
    ['cve:CVE-2012-4681', 'Two holes', '1.1.1'],
    ['cve:CVE-2013-2423', 'Two holes', '1.1.1'],
    ['stix1:{http://lab.riskboard.test}et-0#vuln[1]', 'No number', '1.1.1'],
    ['stix1:{http://lab.riskboard.test}actor-0', 'Aurora Panda', '1.1.1'],
  ]);
});

it('texts with characters that are special in PostgreSQL or COPY are stored unchanged', async () => {
  const description = 'tab\tnew\nline\r back\\slash \\N \\. "quoted" 漏洞 \u{1F600}';
  // Names are one line.
  const name = description.replaceAll(/[\t\n\r]/gu, '');
  const [record] = await recordsOf(bundle([vulnerability({ name, description })]));
  expect(record).toMatchObject({ name, data: { description } });
});

it('objects with ids and names longer than an index allows become one record each', async () => {
  const tail = Array.from({ length: 6000 }, (_, index) => (index * 7919).toString(36))
    .join('')
    .slice(0, 6000);
  const long = vulnerability({ id: `vulnerability--${tail}`, name: tail });
  const other = vulnerability({ id: `vulnerability--${tail}x`, name: `漏${tail}` });
  const first = await recordsOf(bundle([long, other]));
  expect(first).toHaveLength(2);
  const { fileId } = await harness.read('again.json', bundle([long, other]));
  const { result } = await harness.extract(fileId);
  expect(result).toMatchObject({ created: 2 });
  const rows = await harness.inside((trx) => trx.selectFrom('vulnerability').select('name').execute());
  expect(rows.map(({ name }) => name)).toEqual(
    Array.from({ length: 2 }, () => expect.stringMatching(/^.{499}…$/u)),
  );
});

it('the counts of a parse include every kind of object, also beyond the limit of counted types', async () => {
  const malware = threat();
  const hole = vulnerability();
  const strange = Array.from({ length: 1100 }, (_, index) => object(`x-type-${index}`));
  const mixed = [
    malware,
    hole,
    relationship('exploits', malware, hole),
    ...strange,
    { type: 'tool', id: 'none' },
  ];
  await recordsOf(bundle([...mixed, ...strange.slice(1050), object('__proto__'), object('constructor')]));
  const counts = await rowCounts(harness);
  expect(counts).toMatchObject({ report_record: 2, report_relation: 1, report_object: 1100 + 50 + 2 + 1 });
});

it('warns once for each end of the relationships for which the report has no record, and keeps the relationships', async () => {
  const malware = threat();
  const hole = vulnerability();
  const absent = vulnerability({ id: 'vulnerability--99999999-0000-4000-8000-000000000000' });
  const content = bundle([
    relationship('exploits', malware, absent),
    relationship('targets', malware, absent),
    relationship('targets', malware, hole),
    malware,
    hole,
  ]);
  const { fileId } = await harness.read('a.json', content);
  await checkImportReport(harness, fileId);
  const file = await harness.inside((trx) =>
    trx.selectFrom('report_file').select(['mapped', 'warnings']).executeTakeFirstOrThrow(),
  );
  expect(file).toEqual({
    mapped: 5,
    warnings: [
      {
        code: 'relationship-end-missing',
        message: `A relationship refers to a threat or vulnerability for which this report has no record, such as ${absent.id}; the relationship is kept.`,
        count: 1,
      },
    ],
  });
  expect(await rowCounts(harness)).toMatchObject({ report_relation: 3 });
});

it('an identical upload keeps the links to the extracted records', async () => {
  const shared = [vulnerability({ cves: ['CVE-2020-1001'] }), vulnerability({ cves: ['CVE-2020-1001'] })];
  const content = bundle([...shared, vulnerability({ cves: ['CVE-2020-1002'] }), threat()]);
  const { fileId } = await harness.read('a.json', content);
  await harness.extract(fileId);
  const links = () =>
    harness.inside((trx) =>
      trx
        .selectFrom('report_record')
        .select(['key', 'vulnerability_id', 'threat_id'])
        .orderBy('key')
        .execute(),
    );
  const before = await links();
  expect(before.filter((row) => row.vulnerability_id ?? row.threat_id)).toHaveLength(3);
  expect(await harness.read('a.json', content)).toMatchObject({ fileId });
  expect(await links()).toEqual(before);
  await checkImportReport(harness, fileId);
  expect(await rowCounts(harness)).toMatchObject({ vulnerability: 2, threat: 1 });
});

describe('the same bytes again', () => {
  const content = bundle([
    vulnerability({ cves: ['CVE-2020-1001'] }),
    vulnerability({ cves: ['CVE-2020-1001'] }),
    threat(),
    object('identity'),
    object('sighting'),
    relationship('targets', threat(), vulnerability()),
  ]);
  const tables = [
    'report_record',
    'report_object',
    'report_object_group',
    'report_relation',
    'vulnerability',
    'threat',
  ] as const;
  /** Rows that a report holds, each with the transaction that wrote it, and the versions of its bytes. */
  async function stored() {
    const all = await snapshot(harness);
    const { rows: chunks } = await harness.inside((trx) =>
      sql`select content_id, n, xmin::text, ctid::text from file_chunk order by content_id, n`.execute(trx),
    );
    const rows = Object.fromEntries(tables.map((table) => [table, all[table] ?? []]));
    return { ...(rows as Record<(typeof tables)[number], unknown[]>), chunks };
  }
  const resultOf = async (jobId: string) => (await harness.job(jobId)).result;

  it('change no row of the report and of its records, and have the same results', async () => {
    const first = await harness.read('a.json', content);
    const extracted = await harness.extract(first.fileId);
    expect(extracted.result).toMatchObject({ created: 2 });
    const before = await stored();
    const again = await harness.read('a.json', content);
    expect(again.fileId).toBe(first.fileId);
    expect(await resultOf(again.parseJobId)).toEqual(await resultOf(first.parseJobId));
    expect((await harness.extract(first.fileId)).result).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 2,
    });
    expect(await stored()).toEqual(before);
    await checkImportReport(harness, first.fileId);
  });

  it('count each finding of a warning, as the first reading and the list of files do', async () => {
    const modified = 'soon';
    const unusable = bundle([vulnerability({ modified }), vulnerability({ modified })]);
    const first = await harness.read('a.json', unusable);
    const again = await harness.read('a.json', unusable);
    expect(await resultOf(first.parseJobId)).toMatchObject({ warnings: 2 });
    expect(await resultOf(again.parseJobId)).toMatchObject({ warnings: 2 });
  });

  it('create again only the record that a user has deleted', async () => {
    const { fileId } = await harness.read('a.json', content);
    await harness.extract(fileId);
    await harness.inside((trx) => trx.deleteFrom('vulnerability').execute());
    const { threat: before } = await stored();
    await harness.read('a.json', content);
    expect((await harness.extract(fileId)).result).toMatchObject({ created: 1, updated: 0, unchanged: 1 });
    const after = await stored();
    expect(after.threat).toEqual(before);
    expect(after.vulnerability).toHaveLength(1);
    await checkImportReport(harness, fileId);
  });

  it('are read again when another version of the reader read them, or other bytes were read between', async () => {
    const { fileId } = await harness.read('a.json', content);
    const before = await stored();
    await harness.inside((trx) =>
      trx
        .updateTable('report_file')
        .set({ reader: readerVersion - 1 })
        .execute(),
    );
    await harness.read('a.json', content);
    const read = await stored();
    expect(read.report_object_group).not.toEqual(before.report_object_group);
    await harness.read('a.json', bundle([threat()]));
    expect((await stored()).report_object_group).toEqual([]);
    await harness.read('a.json', content);
    expect((await stored()).report_object_group).toHaveLength(read.report_object_group.length);
    await checkImportReport(harness, fileId);
  });
});

it('a reading that no longer contains an extracted record deletes the record and publishes it', async () => {
  const content = bundle([
    vulnerability({ cves: ['CVE-2020-1001'] }),
    vulnerability({ cves: ['CVE-2020-1002'] }),
  ]);
  const { fileId } = await harness.read('a.json', content);
  await harness.extract(fileId);
  // An older version of the product may have read another key from the same content.
  const was = 'cve:CVE-2020-1001';
  const dropped = await harness.inside(async (trx) => {
    const key = 'cve:CVE-2020-9001';
    await trx.updateTable('report_record').set({ key }).where('key', '=', was).execute();
    await trx
      .updateTable('report_file')
      .set({ reader: readerVersion - 1 })
      .execute();
    return trx.updateTable('vulnerability').set({ key }).where('key', '=', was).returning('id').execute();
  });
  harness.recorded.events.length = 0;
  await harness.read('a.json', content);
  expect(await rowCounts(harness)).toMatchObject({ vulnerability: 1, report_record: 2 });
  expect(harness.recorded.events).toContainEqual(
    expect.objectContaining({
      type: 'vulnerability.changed',
      action: 'deleted',
      ids: dropped.map(({ id }) => id),
    }),
  );
});

it('a new version of a report says how many records it removed, in its result and in the activity', async () => {
  const kept = vulnerability({ cves: ['CVE-2020-1001'] });
  const edited = vulnerability({ cves: ['CVE-2020-1002'] });
  const dropped = [vulnerability({ cves: ['CVE-2020-1003'] }), vulnerability({ cves: ['CVE-2020-1004'] })];
  const { fileId } = await harness.read('a.json', bundle([kept, edited, ...dropped, threat()]));
  await harness.extract(fileId);
  await harness.inside((trx) =>
    trx
      .updateTable('vulnerability')
      .set({ edited_fields: ['name'] })
      .where('cve_id', '=', 'CVE-2020-1002')
      .execute(),
  );
  const entries = () =>
    harness.inside((trx) =>
      trx
        .selectFrom('activity')
        .select(['noun_id', 'name', 'detail'])
        .where('action', '=', 'report.records-removed')
        .execute(),
    );
  expect(await entries()).toEqual([]);
  const { parseJobId } = await harness.read('a.json', bundle([kept]));
  const removed = { vulnerability: 2, threat: 1 };
  expect((await harness.job(parseJobId)).result).toMatchObject({ removed });
  expect(await entries()).toEqual([{ noun_id: fileId, name: 'a.json', detail: removed }]);
  const again = await harness.read('a.json', bundle([kept, threat()]));
  expect((await harness.job(again.parseJobId)).result).not.toHaveProperty('removed');
});

// Parsing 30,000 records takes long on a busy machine.
it('parsing thousands of objects leaks no event listeners', { timeout: 90_000 }, async () => {
  const warned: Error[] = [];
  const onWarning = (warning: Error) => void warned.push(warning);
  process.on('warning', onWarning);
  const records = await recordsOf(bundle(manyVulnerabilities(30_000)));
  process.off('warning', onWarning);
  expect(records).toHaveLength(30_000);
  expect(warned).toEqual([]);
});

describe('while a report is parsed', () => {
  const old = bundle([vulnerability({ cves: ['CVE-2020-1001'] }), threat()]);
  const fresh = bundle([vulnerability({ cves: ['CVE-2020-1002'] })]);

  it.each(['received', 'missed'])('a cancelled parse writes nothing when the message is %s', async (how) => {
    const { fileId, parseJobId } = await harness.store('a.json', old);
    let run: Promise<void> | undefined;
    await harness.inside(async (trx) => {
      // While the file is locked, the run reads everything and then waits.
      await trx.selectFrom('report_file').select('id').where('id', '=', fileId).forUpdate().execute();
      run = harness.run(parseJobId);
      await lockWaits(harness.database);
      await cancelJobs(trx, { id: parseJobId });
      if (how === 'received')
        for (const listener of harness.recorded.listeners.values()) listener(jobCancelledTopic(parseJobId));
    });
    await run;
    expect(await harness.job(parseJobId)).toMatchObject({ state: 'cancelled' });
    expect(await rowCounts(harness)).toMatchObject({ report_record: 0, report_object: 0 });
    const states = harness.recorded.events.map((event) => event.type === 'job.updated' && event.job.state);
    expect([...new Set(states)]).toEqual(['running']);
  });

  it('a deletion that comes first leaves nothing of it', async () => {
    const { fileId, parseJobId } = await harness.store('a.json', old, ['threats']);
    let run: Promise<void> | undefined;
    await harness.inside(async (trx) => {
      await trx.selectFrom('report_file').select('id').where('id', '=', fileId).forUpdate().execute();
      run = harness.run(parseJobId);
      await lockWaits(harness.database);
      await removeFile(trx, fileId);
    });
    await run;
    expect(await orphans(harness)).toEqual([]);
    expect(await rowCounts(harness)).toMatchObject({
      report_file: 0,
      report_record: 0,
      report_object: 0,
      job: 0,
    });
  });

  it('a deletion that comes second waits, and leaves nothing of it', async () => {
    const { fileId, parseJobId } = await harness.store('a.json', old, ['threats']);
    const end = crashPoint();
    const run = harness.run(parseJobId, { handlers: stopBeforeCommit(end) });
    await end.reached;
    const removal = harness.remove(fileId);
    await lockWaits(harness.database);
    end.open();
    await Promise.all([run, removal]);
    expect(await orphans(harness)).toEqual([]);
    expect(await rowCounts(harness)).toMatchObject({ report_file: 0, report_record: 0, job: 0 });
  });

  it.each(['first', 'second'])('a replacement that comes %s leaves only the new report', async (order) => {
    const { fileId, parseJobId } = await harness.store('a.json', old, ['vulnerabilities']);
    const content = await storeContent(harness.database, harness.organizationId, Buffer.from(fresh));
    const upload = {
      organizationId: harness.organizationId,
      name: 'a.json',
      extract: ['vulnerabilities' as const],
    };
    const replace = () => harness.inside((trx) => saveFile(trx, upload, content));
    let next: Awaited<ReturnType<typeof replace>>;
    if (order === 'first') {
      let run: Promise<void> | undefined;
      next = await harness.inside(async (trx) => {
        await trx.selectFrom('report_file').select('id').where('id', '=', fileId).forUpdate().execute();
        run = harness.run(parseJobId);
        await lockWaits(harness.database);
        return saveFile(trx, upload, content);
      });
      await run;
      expect(await harness.job(parseJobId)).toMatchObject({ state: 'cancelled' });
    } else {
      const end = crashPoint();
      const run = harness.run(parseJobId, { handlers: stopBeforeCommit(end) });
      await end.reached;
      const replacement = replace();
      await lockWaits(harness.database);
      end.open();
      [, next] = await Promise.all([run, replacement]);
      expect(await harness.job(parseJobId)).toMatchObject({ state: 'succeeded' });
    }
    // The rows of the old report stay until the new one has been read.
    if (order === 'first')
      expect(await rowCounts(harness)).toMatchObject({ report_record: 0, report_object: 0 });
    await harness.run(next.parseJobId);
    await harness.run(next.extractJobId ?? '');
    await checkImportReport(harness, fileId);
    expect(await orphans(harness)).toEqual([]);
    const keys = await harness.inside((trx) => trx.selectFrom('vulnerability').select('key').execute());
    expect(keys).toEqual([{ key: 'cve:CVE-2020-1002' }]);
  });
});

it('a retried parse of replaced content fails with the reason', async () => {
  const { parseJobId } = await harness.store('a.json', bundle([threat()]));
  await harness.read('a.json', bundle([vulnerability()]));
  const before = await snapshot(harness);
  await harness.inside((trx) =>
    trx.updateTable('job').set({ state: 'queued' }).where('id', '=', parseJobId).execute(),
  );
  await harness.run(parseJobId);
  expect(await harness.job(parseJobId)).toMatchObject({ state: 'failed', error_code: 'replaced', tries: 1 });
  const after = await snapshot(harness);
  for (const table of ['report_file', 'report_record', 'report_object', 'report_object_group'])
    expect(after[table]).toEqual(before[table]);
});

it('a takeover during a long parse has the same result as one run', async () => {
  const content = bundle(manyVulnerabilities(3000));
  const { fileId, parseJobId } = await harness.store('a.json', content);
  const first = harness.run(parseJobId);
  await lockedOrRunning(parseJobId);
  await silence(harness, parseJobId);
  await Promise.allSettled([first, harness.run(parseJobId)]);
  expect(await harness.job(parseJobId)).toMatchObject({ state: 'succeeded' });
  await checkImportReport(harness, fileId);
  expect(await rowCounts(harness)).toMatchObject({ report_record: 3000 });
});

async function lockedOrRunning(jobId: string): Promise<void> {
  while ((await harness.job(jobId)).state !== 'running')
    await new Promise((resolve) => setTimeout(resolve, 5));
}

it('a file of several MiB that is malformed at its end names the line, and its progress never decreases', async () => {
  const lines = manyVulnerabilities(12_000).map((one) => JSON.stringify(one));
  const content = `{"type":"bundle","objects":[\n${lines.join(',\n')},\n  tru]}`;
  expect(content.length).toBeGreaterThan(2 * 1024 * 1024);
  const { parseJobId } = await harness.store('a.json', content);
  const done: number[] = [];
  const watched: JobHandler<'stix.parse'> = (context) =>
    stixParse({
      ...context,
      progress(progress) {
        done.push(progress.done);
        context.progress(progress);
      },
    });
  await harness.run(parseJobId, { handlers: { ...handlers, 'stix.parse': watched } });
  expect(await harness.job(parseJobId)).toMatchObject({
    state: 'failed',
    error_code: 'malformed',
    error_message: expect.stringContaining(`line ${lines.length + 2}, column 3`),
  });
  expect(done.length).toBeGreaterThan(2);
  expect(done).toEqual([...new Set(done)].toSorted((a, b) => a - b));
});
