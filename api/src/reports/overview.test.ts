import type { Job, ReportFile } from '@riskboard/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asWorker } from '../testing/fakes/as-worker.ts';
import { type Person, signUp } from '../testing/person.ts';
import { stixXml, uploadReport } from '../testing/report.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
let worker: ReturnType<typeof asWorker>;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
  worker = asWorker(api, ada);
});
afterAll(() => api.close());

const upload = async (name: string, content?: string | Buffer): Promise<string> =>
  (await uploadReport(ada, name, content))._id;

describe('the overview', () => {
  it('counts reports, bytes, versions, records and jobs', async () => {
    expect((await ada.get('/api/reports/overview')).json()).toEqual({
      files: 0,
      bytes: 0,
      byVersion: {},
      vulnerabilities: 0,
      threats: 0,
      lastUploadAt: null,
      jobs: { queued: 0, running: 0, failed: 0 },
    });
    const first = await upload('a.json');
    await upload('b.xml', stixXml);
    const third = await upload('c.json', '{"type":"bundle","objects":[]}');
    await worker.read(first, { records: [{ key: 'CVE-1' }, { key: 'T-1', kind: 'threat' }] });
    await worker.extract(first);
    await worker.endParse(third, 'failed');
    await worker.inside((trx) =>
      sql`insert into vulnerability (organization_id, id, name) values (current_organization(), gen_random_uuid(), 'by hand')`.execute(
        trx,
      ),
    );
    const overview = (await ada.get('/api/reports/overview')).json<Record<string, unknown>>();
    const { files } = (await ada.get('/api/reports/files')).json<{ files: ReportFile[] }>();
    expect(overview).toEqual({
      files: 3,
      bytes: files.reduce((sum, file) => sum + file.size, 0),
      byVersion: { '2.1': 1, unknown: 2 },
      vulnerabilities: 1,
      threats: 1,
      lastUploadAt: files[0]?.uploadDate,
      jobs: { queued: 1, running: 0, failed: 1 },
    });
  });

  it('counts the jobs that the list of jobs shows: of unattended ones only those that failed', async () => {
    await worker.inside(async (trx) => {
      for (const state of ['queued', 'running', 'failed'])
        await sql`insert into job (organization_id, id, kind, payload, state)
          values (current_organization(), gen_random_uuid(), 'metrics.recompute', '{}', ${state})`.execute(
          trx,
        );
    });
    const listed = (await ada.get('/api/jobs')).json<{ jobs: Job[] }>().jobs.map(({ state }) => state);
    expect(listed).toEqual(['failed']);
    const { jobs } = (await ada.get('/api/reports/overview')).json<{ jobs: Record<string, number> }>();
    expect(jobs).toEqual({ queued: 0, running: 0, failed: 1 });
  });
});
