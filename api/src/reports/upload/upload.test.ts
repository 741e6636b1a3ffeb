import { setTimeout as sleep } from 'node:timers/promises';
import type { ReportFile } from '@riskboard/contract';
import { lockFileName } from '@riskboard/db';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { asWorker } from '../../testing/fakes/as-worker.ts';
import { form, type FormFile } from '../../testing/form.ts';
import { publishedChanges } from '../../testing/make-records.ts';
import { assertNoOrphanedChunks } from '../../testing/orphaned-chunks.ts';
import { cookieHeader, type Person, signUp } from '../../testing/person.ts';
import { bundle, largeBundle, stixXml, type Uploaded, uploadReport } from '../../testing/report.ts';
import { origin, startApi, type TestApi } from '../../testing/start-api.ts';

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
});
afterEach(() => assertNoOrphanedChunks(api, ada));
afterAll(() => api.close());

const send = (name: string, content: string | Buffer = bundle()): Promise<Uploaded> =>
  uploadReport(ada, name, content);
const request = (file: FormFile) => {
  const { headers, payload } = form(file);
  return { headers: { ...headers, origin, cookie: cookieHeader(ada.cookies) }, payload };
};
const files = async () => (await ada.get('/api/reports/files')).json<{ files: ReportFile[] }>().files;

describe('an upload that replaces a report while it is read', () => {
  /** A report that a worker is reading, with the extraction that waits for it. */
  async function reading() {
    const answer = await ada.upload({ name: 'a.json', content: bundle('first') }, '?extract=threats');
    const { jobId: parse } = answer.json<Uploaded>();
    const { inside } = asWorker(api, ada);
    await inside((trx) =>
      sql`
        update job set state = 'running', attempt = 1, tries = 1, started_at = now(), heartbeat_at = now()
        where id = ${parse}`.execute(trx),
    );
    const jobsOfReport = async () => {
      const { rows } = await inside((trx) =>
        sql`select id, state, tries, waits_for from job where created_by = ${ada.user._id} order by id`.execute(
          trx,
        ),
      );
      return rows;
    };
    api.producer.enqueued.length = 0;
    return { parse, jobsOfReport };
  }
  const stopped = (id: string) => api.relay.published.some(({ topic }) => topic === `job.${id}.cancelled`);

  it('cancels its jobs and stops their runs', async () => {
    const { parse, jobsOfReport } = await reading();
    const { jobId } = await send('a.json', bundle('second'));
    expect(await jobsOfReport()).toMatchObject([
      { id: parse, state: 'cancelled' },
      { state: 'cancelled', waits_for: null },
      { id: jobId, state: 'queued' },
    ]);
    expect(stopped(parse)).toBe(true);
  });

  it('leaves its jobs queued when the upload fails', async () => {
    const { parse, jobsOfReport } = await reading();
    const admin = new Client({ connectionString: api.clone.adminUrl });
    await admin.connect();
    const answer = await asWorker(api, ada).inside(async (trx) => {
      await lockFileName(trx, 'a.json');
      const upload = ada.upload({ name: 'a.json', content: bundle('second') });
      // The connection of the upload breaks while it waits for the name.
      await vi.waitFor(async () => {
        const { rowCount } = await admin.query(`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`);
        expect(rowCount).toBe(1);
      });
      return upload;
    });
    // What was received is deleted by the sweep.
    await admin.query('delete from file_content where not complete');
    await admin.end();
    expect(answer.statusCode).toBe(503);
    expect(await jobsOfReport()).toMatchObject([
      { id: parse, state: 'queued', tries: 0 },
      { state: 'queued', waits_for: parse },
    ]);
    expect(stopped(parse)).toBe(true);
    expect(api.producer.enqueued.map(({ id }) => id)).toEqual([parse]);
    expect(await files()).toMatchObject([{ originalFilename: 'a.json', parseState: 'queued' }]);
  });
});

describe('an upload', () => {
  it('makes a report and a job that reads it, and enqueues the job after the commit', async () => {
    const answer = await send('First.json');
    expect(answer).toMatchObject({ action: 'created', stixVersion: '2.1' });
    expect(answer._id).toBe(answer.id);
    expect(await files()).toMatchObject([
      { _id: answer._id, originalFilename: 'First.json', parseState: 'queued', media: 'json' },
    ]);
    const { organizationId } = ada.user;
    expect(api.producer.enqueued).toContainEqual(
      expect.objectContaining({ id: answer.jobId, kind: 'stix.parse', organizationId }),
    );
    const topics = api.relay.published.filter(({ topic }) => topic.includes(organizationId));
    expect(topics.map(({ message }) => (message as { type: string }).type)).toEqual([
      'job.updated',
      'file.changed',
    ]);
  });

  it('names the version that is written after the objects', async () => {
    const objects = Array.from({ length: 400 }, (_, n) => ({ type: 'note', content: 'x'.repeat(400), n }));
    const late = JSON.stringify({ id: 'bundle--1', objects, spec_version: '2.0', type: 'bundle' });
    expect(late.length).toBeGreaterThan(128 * 1024);
    expect(await send('late.json', late)).toMatchObject({ stixVersion: '2.0' });
  });

  const taxii = 'xmlns="http://taxii.mitre.org/messages/taxii_xml_binding-1.1"';
  const old = '<s:STIX_Package xmlns:s="http://stix.mitre.org/stix-1" version="1.1.1"/>';
  const padding = 'x'.repeat(1_500_000);
  it.each([
    [
      'a list of bundles',
      '[{"type":"bundle","objects":[{"spec_version":"2.1"}]},{"type":"bundle","spec_version":"2.0"}]',
      '2.0,2.1',
    ],
    ['a bundle without any version', '{"type":"bundle","objects":[{"type":"tool","id":"tool--1"}]}', '2.1'],
    ['an envelope without any version', '{"objects":[{"type":"tool","id":"tool--1"}]}', '2.0'],
    [
      'a bundle that quotes a version',
      String.raw`{"type":"bundle","x":"\"spec_version\":\"2.0\"","objects":[]}`,
      null,
    ],
    ['an empty answer', '{"more":false}', null],
    ['an empty list', '[]', null],
    [
      'a bundle whose version follows its objects',
      `{"type":"bundle","objects":["${padding}"],"spec_version":"2.0"}`,
      '2.0',
    ],
    [
      'a TAXII message of several chunks',
      `<Poll_Response ${taxii}><!--${padding}-->${old}</Poll_Response>`,
      '1.1.1',
    ],
    ['a package after a long comment', `<!--${padding}-->${old}`, '1.1.1'],
    ['UTF-16', Buffer.from(`\uFEFF${old}`, 'utf16le'), '1.1.1'],
    [
      'a namespace and a version with character references',
      old.replace('stix-1', 'stix&#45;1').replace('1.1.1', '1&#46;1'),
      '1.1',
    ],
    ['a bare construct', '<TTP xmlns="http://docs.oasis-open.org/cti/ns/stix/ttp-1" id="a"/>', null],
  ])('of %s answers with the STIX version that reading will find', async (_what, content, stixVersion) => {
    expect(await send('version.json', content)).toMatchObject({ stixVersion });
  });

  it('succeeds while the queue is down: the sweep enqueues the job later', async () => {
    api.producer.down = true;
    await send('First.json');
    api.producer.down = false;
    expect(await files()).toHaveLength(1);
  });

  it('waits for an unresponsive queue and relay at the same time, not one after the other', async () => {
    await send('First.json');
    const frozen = await startApi({}, { with: api });
    const steps: string[] = [];
    const silence = (what: string) => async (): Promise<never> => {
      steps.push(`${what} begins`);
      await sleep(1000);
      steps.push(`${what} ends`);
      throw new Error('no answer in time');
    };
    Object.assign(frozen.producer.port, { enqueue: silence('enqueue') });
    const { publish } = api.relay.port;
    Object.assign(api.relay.port, { publish: silence('publish') });
    const answer = await frozen.app.inject({
      method: 'POST',
      url: '/api/reports/upload?extract=vulnerabilities,threats',
      ...request({ name: 'first.json', content: bundle() }),
    });
    expect(answer.statusCode).toBe(201);
    expect(steps.slice(0, 2).map((step) => step.replace(/^\w+ /u, ''))).toEqual(['begins', 'begins']);
    Object.assign(api.relay.port, { publish });
    await frozen.close();
  });

  it('with an existing name, in any case, replaces the report', async () => {
    const first = await send('Report.json');
    const second = await send('rePORT.JSON', bundle('two'));
    expect(second).toMatchObject({ action: 'replaced', _id: first._id });
    expect(second.jobId).not.toBe(first.jobId);
    expect(await files()).toMatchObject([{ originalFilename: 'rePORT.JSON' }]);
    expect((await ada.get(`/api/jobs/${first.jobId}`)).json()).toMatchObject({ state: 'cancelled' });
  });

  it('of the same bytes keeps what was extracted, under the new spelling, and publishes the change of the records', async () => {
    const { _id } = await send('Report.json');
    const worker = asWorker(api, ada);
    await worker.read(_id, { records: [{ key: 'CVE-1' }, { key: 'T-1', kind: 'threat' }] });
    await worker.extract(_id);
    const from = publishedChanges(api).length;
    expect((await send('REPORT.json')).action).toBe('replaced');
    expect(publishedChanges(api).slice(from)).toEqual([
      'file.changed updated 1',
      'vulnerability.changed updated 1',
      'threat.changed updated 1',
    ]);
    expect(await files()).toMatchObject([{ vulnerabilityCount: 1, threatCount: 1 }]);
    expect((await ada.get('/api/vulnerabilities')).json()).toMatchObject({
      vulnerabilities: [{ name: 'CVE-1', sourceFile: 'REPORT.json' }],
    });
  });

  it('of the same bytes keeps the stored bytes', async () => {
    const chunks = () =>
      asWorker(api, ada).inside((trx) =>
        sql`select content_id, n, xmin::text, ctid::text from file_chunk order by content_id, n`.execute(trx),
      );
    const content = bundle();
    const { _id } = await send('report.json', content);
    const { rows: before } = await chunks();
    expect(before).toHaveLength(1);
    await send('report.json', content);
    expect((await chunks()).rows).toEqual(before);
    expect((await ada.get(`/api/reports/files/${_id}/raw`)).body).toBe(content);
  });

  it('of other bytes keeps the records of the old content until the new one has been read', async () => {
    const { _id } = await send('report.json');
    const worker = asWorker(api, ada);
    await worker.read(_id, {
      records: [{ key: 'CVE-1' }],
      objects: [{ type: 'tool', outcome: 'unmapped', reason: 'x' }],
    });
    await worker.extract(_id);
    await send('report.json', bundle('two'));
    expect(await files()).toMatchObject([
      { vulnerabilityCount: 1, vulnerabilityRecords: null, objects: null, parseState: 'queued' },
    ]);
    expect((await ada.get('/api/vulnerabilities')).json()).toMatchObject({ total: 1 });
    expect((await ada.get(`/api/reports/files/${_id}/import-report/objects`)).json()).toMatchObject({
      total: 0,
    });
  });

  it('of other bytes names it in the records that it shares with a newer report', async () => {
    const worker = asWorker(api, ada);
    for (const name of ['first.json', 'second.json']) {
      const { _id } = await send(name, bundle(name));
      await worker.read(_id, { records: [{ key: 'CVE-1' }] });
      await worker.extract(_id);
    }
    const sources = async () =>
      (await ada.get('/api/vulnerabilities'))
        .json<{ vulnerabilities: { sourceFile: string }[] }>()
        .vulnerabilities.map(({ sourceFile }) => sourceFile);
    expect(await sources()).toEqual(['second.json']);
    await send('first.json', bundle('other'));
    expect(await sources()).toEqual(['first.json']);
  });

  it('twenty times at once under one name is one created and nineteen replaced', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => ada.upload({ name: 'same.json', content: bundle(`${n}`) })),
    );
    const actions = answers.map((answer) => answer.json<Uploaded>().action);
    expect(actions.filter((action) => action === 'created')).toHaveLength(1);
    expect(actions.filter((action) => action === 'replaced')).toHaveLength(19);
    expect(new Set(answers.map((answer) => answer.json<Uploaded>()._id)).size).toBe(1);
    expect((await ada.get('/api/jobs?state=queued')).json()).toMatchObject({ total: 1 });
  });

  it.each(['extract=vulnerabilities,threats', 'extract=vulnerabilities&extract=threats'])(
    'chains the extraction to the parse (%s)',
    async (query) => {
      const answer = await ada.upload({ name: 'a.json', content: bundle() }, `?${query}`);
      const { jobs } = (await ada.get('/api/jobs?sort=kind')).json<{
        jobs: { kind: string; _id: string }[];
      }>();
      expect(jobs.map((job) => job.kind)).toEqual(['stix.extract', 'stix.parse']);
      const enqueued = api.producer.enqueued.map((message) => message.id);
      expect(enqueued).toContain(answer.json<Uploaded>().jobId);
      expect(enqueued).not.toContain(jobs[0]?._id);
      expect((await ada.upload({ name: 'a.json', content: bundle() }, '?extract=cats')).statusCode).toBe(422);
    },
  );

  it('is downloaded byte for byte, from one chunk or several', async () => {
    for (const size of [1024 * 1024 - 100, 5 * 1024 * 1024 + 17]) {
      const bytes = largeBundle(size);
      const { _id } = await send('large.json', bytes);
      const answer = await ada.get(`/api/reports/files/${_id}/raw`);
      expect(answer.rawPayload.equals(bytes)).toBe(true);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-length': `${bytes.length}`,
        'content-disposition': `attachment; filename="large.json"; filename*=UTF-8''large.json`,
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      });
      expect(answer.headers['content-security-policy']).toContain('sandbox');
    }
  });
});

it('XML is detected by its content, also in a file named .json', async () => {
  expect(await send('report.json', stixXml)).toMatchObject({ stixVersion: '1.2' });
  expect(await files()).toMatchObject([{ media: 'xml' }]);
});
