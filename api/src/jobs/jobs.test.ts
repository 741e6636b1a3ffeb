import { type ErrorReply, eventTopic, type Facets, type Job } from '@riskboard/contract';
import { failWaiting, newId, presentJob, selectJobs, selectShownJobs } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeToken, script } from '../testing/accounts/script.ts';
import { makeTeam } from '../testing/accounts/team.ts';
import { csvLines } from '../testing/csv.ts';
import { asWorker } from '../testing/fakes/as-worker.ts';
import { type Person, signUp } from '../testing/person.ts';
import { bundle } from '../testing/report.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  ada = await signUp(api);
});
afterAll(() => api.close());

interface Started {
  fileId: string;
  parse: string;
  extraction: string;
}

/** An upload with the extraction that waits for its parse. */
async function start(name = 'a.json'): Promise<Started> {
  const answer = await ada.upload({ name, content: bundle(name) }, '?extract=threats');
  const { _id: fileId, jobId: parse } = answer.json<{ _id: string; jobId: string }>();
  const { jobs } = (await ada.get(`/api/jobs?kind=stix.extract&fileId=${fileId}`)).json<{ jobs: Job[] }>();
  return { fileId, parse, extraction: jobs[0]?._id ?? '' };
}

const jobOf = async (id: string): Promise<Job> => (await ada.get(`/api/jobs/${id}`)).json<Job>();
const set = (id: string, change: ReturnType<typeof sql>) =>
  asWorker(api, ada).inside((trx) => sql`update job set ${change} where id = ${id}`.execute(trx));
const ids = async (query: string) =>
  (await ada.get(`/api/jobs?${query}`)).json<{ jobs: Job[] }>().jobs.map((job) => job._id);

describe('the list of jobs', () => {
  it('is filtered by state, kind and file, one value or several', async () => {
    const a = await start('a.json');
    const b = await start('b.json');
    await set(a.parse, sql`state = 'succeeded', finished_at = now()`);
    await set(b.parse, sql`state = 'failed', finished_at = now()`);
    expect(await ids('state=succeeded')).toEqual([a.parse]);
    expect(await ids('state=succeeded&state=failed&sort=createdAt')).toEqual([a.parse, b.parse]);
    expect(await ids('kind=stix.extract&sort=createdAt')).toEqual([a.extraction, b.extraction]);
    expect((await ids(`fileId=${b.fileId}`)).toSorted()).toEqual([b.parse, b.extraction].toSorted());
    expect(await ids(`fileId=${b.fileId}&state=queued`)).toEqual([b.extraction]);
    expect(await ids('sort=-finishedAt&pageSize=1')).toEqual([b.parse]);
    expect((await ada.get('/api/jobs?pageSize=1&page=4')).json()).toMatchObject({ total: 4, page: 4 });
  });

  it('is searched by file and error, and filtered and sorted by duration', async () => {
    const a = await start('alpha.json');
    const b = await start('beta_50%.json');
    await set(
      a.parse,
      sql`state = 'succeeded', started_at = now() - interval '90 seconds', finished_at = now()`,
    );
    await set(
      b.parse,
      sql`state = 'failed', error_code = 'unreadable', error_message = 'No such Encoding.',
        started_at = now() - interval '5 seconds', finished_at = now()`,
    );
    expect((await ids('search=ALPHA')).toSorted()).toEqual([a.parse, a.extraction].toSorted());
    expect((await ids('search=50%25')).toSorted()).toEqual([b.parse, b.extraction].toSorted());
    expect(await ids('search=encoding')).toEqual([b.parse]);
    expect(await ids('tookMin=60')).toEqual([a.parse]);
    expect(await ids('tookMax=60')).toEqual([b.parse]);
    expect((await ids('took=N/A')).toSorted()).toEqual([a.extraction, b.extraction].toSorted());
    expect((await ids('sort=took')).slice(0, 2)).toEqual([b.parse, a.parse]);
    expect((await ids('sort=-took')).slice(0, 2)).toEqual([a.parse, b.parse]);
    expect((await ids('sort=fileName&kind=stix.parse')).slice(0, 2)).toEqual([a.parse, b.parse]);
  });

  it('returns every job once when paged by cursor', async () => {
    const a = await start('a.json');
    const b = await start('b.json');
    interface Part {
      jobs: Job[];
      nextCursor: string | null;
    }
    const walked: string[] = [];
    for (let next: string | null = ''; next !== null;) {
      const cursor: string = next && `&cursor=${next}`;
      const part: Part = (await ada.get(`/api/jobs?pageSize=3&sort=-finishedAt${cursor}`)).json();
      walked.push(...part.jobs.map((job) => job._id));
      next = part.nextCursor;
    }
    expect(walked.toSorted()).toEqual([a.parse, a.extraction, b.parse, b.extraction].toSorted());
  });

  it('counts states and kinds; a facet ignores its own filter', async () => {
    const a = await start('a.json');
    await start('b.json');
    await set(a.parse, sql`state = 'failed', finished_at = now()`);
    const { facets } = (await ada.get(`/api/jobs/facets?state=failed&field=state&field=kind`)).json<Facets>();
    expect(facets).toEqual({
      state: {
        values: [
          { value: 'queued', count: 3 },
          { value: 'failed', count: 1 },
        ],
        more: false,
      },
      kind: { values: [{ value: 'stix.parse', count: 1 }], more: false },
    });
  });

  it('is exported as CSV and JSON with its filters', async () => {
    const a = await start('=cmd.json');
    await start('b.json');
    await set(
      a.parse,
      sql`state = 'failed', attempt = 3, error_code = 'internal', error_message = 'Given up.',
        started_at = now() - interval '2 seconds', finished_at = now()`,
    );
    const csv = await ada.get('/api/jobs/export?state=failed&columns=fileName,kind,state,error,took,attempt');
    expect(csv.headers['content-disposition']).toContain('filename="jobs.csv"');
    expect(csvLines(csv.body)).toEqual([
      'File,Job,State,Error,Duration (seconds),Attempts',
      "'=cmd.json,stix.parse,failed,Given up.,2,3",
    ]);
    const json = await ada.get(`/api/jobs/export?format=json&fileId=${a.fileId}&sort=kind`);
    expect(json.json()).toMatchObject([
      { fileName: '=cmd.json', kind: 'stix.extract', state: 'queued', error: null, took: null },
      { fileName: '=cmd.json', kind: 'stix.parse', state: 'failed', error: 'Given up.', took: 2 },
    ]);
  });

  it('is exported with the counts of a result and without its lists', async () => {
    const { parse } = await start();
    const result = JSON.stringify({
      created: 2,
      skipped: 1,
      createdIds: [parse],
      issues: [{ location: '/0' }],
    });
    await set(parse, sql`state = 'succeeded', finished_at = now(), result = ${result}::jsonb`);
    const csv = await ada.get('/api/jobs/export?state=succeeded&columns=result');
    expect(csvLines(csv.body)[1]).toBe('"{""created"":2,""skipped"":1}"');
  });

  it.each(['state=done', 'kind=cats', 'fileId=7', 'sort=payload'])('refuses %s', async (query) => {
    expect((await ada.get(`/api/jobs?${query}`)).statusCode).toBe(422);
  });
});

it('the ids and issues of a result are shown by the job itself, not by lists and events', async () => {
  const { parse, extraction } = await start();
  const counts = {
    kinds: ['vulnerabilities'],
    records: 3,
    created: 2,
    updated: 0,
    unchanged: 0,
    skipped: 1,
    byKind: { vulnerabilities: { created: 2, updated: 0, unchanged: 0, skipped: 1 } },
  };
  const issue = { location: '/0', type: 'vulnerability', stixId: null, outcome: 'failed', reason: 'No name' };
  const result = { ...counts, createdIds: [parse, extraction], issues: [issue] };
  await set(
    extraction,
    sql`state = 'succeeded', finished_at = now(), waits_for = null, result = ${JSON.stringify(result)}::jsonb`,
  );
  expect((await jobOf(extraction)).result).toEqual(result);
  const { jobs } = (await ada.get('/api/jobs?state=succeeded')).json<{ jobs: Job[] }>();
  expect(jobs.find(({ _id }) => _id === extraction)?.result).toEqual(counts);
  const row = await asWorker(api, ada).inside((trx) =>
    selectJobs(trx).where('job.id', '=', extraction).executeTakeFirstOrThrow(),
  );
  expect(presentJob(row).result).toEqual(counts);
  const shown = await asWorker(api, ada).inside((trx) =>
    selectShownJobs(trx).where('job.id', '=', extraction).executeTakeFirstOrThrow(),
  );
  expect(shown).not.toHaveProperty('payload');
  expect(presentJob(shown)).toEqual(presentJob(row));
});

it('a job shows the file that it works on, without its queue fields', async () => {
  const { fileId, parse } = await start('named.json');
  expect(await jobOf(parse)).toEqual({
    _id: parse,
    kind: 'stix.parse',
    state: 'queued',
    progress: { phase: 'waiting', done: 0, total: 0 },
    fileId,
    fileName: 'named.json',
    vulnerabilityId: null,
    result: null,
    error: null,
    attempt: 0,
    version: 1,
    createdAt: expect.stringMatching(/Z$/u),
    startedAt: null,
    finishedAt: null,
    heartbeatAt: null,
    createdBy: ada.user._id,
  });
});

describe('cancelling', () => {
  it('ends a job and the jobs that wait for it, and publishes this to the worker and the pages', async () => {
    const { parse, extraction } = await start();
    await set(parse, sql`state = 'running'`);
    const answer = await ada.post(`/api/jobs/${parse}/cancel`);
    expect(answer.json<Job>()).toMatchObject({ _id: parse, state: 'cancelled', version: 2 });
    expect(answer.json<Job>().finishedAt).not.toBeNull();
    expect(await jobOf(extraction)).toMatchObject({ state: 'cancelled', version: 2 });
    const updates = api.relay.published.filter(({ message }) =>
      JSON.stringify(message).includes('cancelled'),
    );
    expect(updates.map(({ topic }) => topic)).toEqual(Array(2).fill(eventTopic(ada.user.organizationId)));
    const topics = api.relay.published.map(({ topic }) => topic);
    expect(topics).toEqual(expect.arrayContaining([`job.${parse}.cancelled`, `job.${extraction}.cancelled`]));
  });

  it('of a waiting job does not cancel the job that it waits for', async () => {
    const { parse, extraction } = await start();
    await ada.post(`/api/jobs/${extraction}/cancel`);
    expect((await jobOf(parse)).state).toBe('queued');
  });

  it('does not change a job that has ended', async () => {
    const { parse } = await start();
    await set(parse, sql`state = 'succeeded', finished_at = now()`);
    const before = await jobOf(parse);
    expect((await ada.post(`/api/jobs/${parse}/cancel`)).json()).toEqual(before);
  });
});

describe('a job that only owners request', () => {
  /** A queued or failed job of the organization, and the calls that cancel it and run it again. */
  async function requested(kind: string, payload: object, role: 'analyst' | 'owner') {
    const team = await makeTeam(api);
    const member = await team.join(role);
    const [running, ended] = [newId(), newId()];
    await team.inside((trx) =>
      sql`
        insert into job (organization_id, id, kind, payload, state)
        values (current_organization(), ${running}, ${kind}, ${JSON.stringify(payload)}, 'queued'),
          (current_organization(), ${ended}, ${kind}, ${JSON.stringify(payload)}, 'cancelled')`.execute(trx),
    );
    return { member, calls: [`/api/jobs/${running}/cancel`, `/api/jobs/${ended}/retry`] };
  }

  it.each([
    ['cwe.refresh', {}],
    ['webhook.deliver', { deliveryId: crypto.randomUUID() }],
    ['organization.delete', {}],
  ] as const)('%s is cancelled and run again by owners only', async (kind, payload) => {
    const refused = await requested(kind, payload, 'analyst');
    for (const url of refused.calls) {
      const answer = await refused.member.call('POST', url);
      expect(answer.statusCode).toBe(403);
      expect(answer.json()).toMatchObject({ message: 'Requires the owner role. You are an analyst.' });
    }
    const allowed = await requested(kind, payload, 'owner');
    const statuses = [];
    for (const url of allowed.calls) statuses.push((await allowed.member.call('POST', url)).statusCode);
    expect(statuses).toEqual([200, 202]);
  });

  it('a delivery to a webhook is not cancelled by an API token', async () => {
    const { token } = await makeToken(ada, { role: 'owner' });
    const id = newId();
    await asWorker(api, ada).inside((trx) =>
      sql`
        insert into job (organization_id, id, kind, payload)
        values (current_organization(), ${id}, 'webhook.deliver', '{}')`.execute(trx),
    );
    const answer = await script(api, token)('POST', `/api/jobs/${id}/cancel`);
    expect(answer.json()).toMatchObject({ statusCode: 403, code: 'session_needed' });
    expect((await jobOf(id)).state).toBe('queued');
  });
});

describe('running a job again', () => {
  it.each(['queued', 'running', 'succeeded'])('is refused while it is %s', async (state) => {
    const { parse } = await start();
    await set(parse, sql`state = ${state}`);
    const answer = await ada.post(`/api/jobs/${parse}/retry`);
    expect(answer.statusCode).toBe(409);
    expect((await jobOf(parse)).state).toBe(state);
  });

  it.each(['failed', 'cancelled'])('resets a %s job and enqueues it', async (state) => {
    const { parse } = await start();
    await set(
      parse,
      sql`state = ${state}, tries = 3, attempt = 3, done = 5, total = 9, phase = 'reading', started_at = now(),
        finished_at = now(), error_code = 'internal', error_message = 'Given up.', run_at = now() + interval '1 hour'`,
    );
    api.producer.enqueued.length = 0;
    const answer = await ada.post(`/api/jobs/${parse}/retry`);
    expect(answer.statusCode).toBe(202);
    expect(answer.headers['location']).toBe(`/api/jobs/${parse}`);
    expect(await jobOf(parse)).toMatchObject({
      state: 'queued',
      progress: { phase: 'waiting', done: 0, total: 0 },
      error: null,
      attempt: 3,
      version: 2,
      startedAt: null,
      finishedAt: null,
    });
    const { rows } = await asWorker(api, ada).inside((trx) =>
      sql`select tries, run_at <= now() as due from job where id = ${parse}`.execute(trx),
    );
    expect(rows).toEqual([{ tries: 0, due: true }]);
    expect(api.producer.enqueued.map((message) => message.id)).toEqual([parse]);
  });

  it('also queues the jobs that were cancelled with it, which wait for it again', async () => {
    const { parse, extraction } = await start();
    await ada.post(`/api/jobs/${parse}/cancel`);
    api.producer.enqueued.length = 0;
    await ada.post(`/api/jobs/${parse}/retry`);
    expect(await jobOf(extraction)).toMatchObject({ state: 'queued', finishedAt: null, version: 3 });
    const { rows } = await asWorker(api, ada).inside((trx) =>
      sql`select waits_for from job where id = ${extraction}`.execute(trx),
    );
    expect(rows).toEqual([{ waits_for: parse }]);
    expect(api.producer.enqueued.map((message) => message.id)).toEqual([parse]);
  });

  it('also queues the jobs that failed because it failed', async () => {
    const { parse, extraction } = await start();
    await asWorker(api, ada).inside(async (trx) => {
      await sql`update job set state = 'running', started_at = now() - interval '1 second', attempt = 1
        where id = ${parse}`.execute(trx);
      await sql`update job set state = 'failed', finished_at = clock_timestamp() where id = ${parse}`.execute(
        trx,
      );
      await failWaiting(trx, parse, { code: 'not-read', message: 'The report could not be read.' });
    });
    expect((await jobOf(extraction)).state).toBe('failed');
    await ada.post(`/api/jobs/${parse}/retry`);
    expect(await jobOf(extraction)).toMatchObject({ state: 'queued', error: null });
  });

  it('does not queue a waiting job that was cancelled before it', async () => {
    const { parse, extraction } = await start();
    await ada.post(`/api/jobs/${extraction}/cancel`);
    await ada.post(`/api/jobs/${parse}/cancel`);
    await ada.post(`/api/jobs/${parse}/retry`);
    expect((await jobOf(extraction)).state).toBe('cancelled');
  });

  it('is refused for an extraction whose report has not been read', async () => {
    const { parse, extraction } = await start();
    await ada.post(`/api/jobs/${parse}/cancel`);
    const answer = await ada.post(`/api/jobs/${extraction}/retry`);
    expect([answer.statusCode, answer.json<ErrorReply>().message]).toEqual([
      409,
      'The report has not been read. Run the job that reads it again first.',
    ]);
    await ada.post(`/api/jobs/${parse}/retry`);
    expect((await jobOf(extraction)).state).toBe('queued');
  });

  it('lets an extraction wait for its report, which is being read', async () => {
    const { parse, extraction } = await start();
    await ada.post(`/api/jobs/${extraction}/cancel`);
    api.producer.enqueued.length = 0;
    expect((await ada.post(`/api/jobs/${extraction}/retry`)).statusCode).toBe(202);
    expect((await jobOf(extraction)).progress.phase).toBe('waiting for the report to be read');
    const { rows } = await asWorker(api, ada).inside((trx) =>
      sql`select waits_for from job where id = ${extraction}`.execute(trx),
    );
    expect(rows).toEqual([{ waits_for: parse }]);
    expect(api.producer.enqueued).toEqual([]);
  });

  describe('for an extraction from before the last upload of its report', () => {
    /** The extraction of the first upload, and the parse of the second one. */
    async function uploadTwice() {
      const first = await start('a.json');
      const answer = await ada.upload({ name: 'a.json', content: bundle('other') });
      expect((await jobOf(first.extraction)).state).toBe('cancelled');
      return { ...first, newParse: answer.json<{ jobId: string }>().jobId };
    }
    const waitsFor = async (id: string) => {
      const { rows } = await asWorker(api, ada).inside((trx) =>
        sql<{ waits_for: string | null }>`select waits_for from job where id = ${id}`.execute(trx),
      );
      return rows[0]?.waits_for;
    };

    it('waits for the newer parse', async () => {
      const { extraction, newParse } = await uploadTwice();
      expect((await ada.post(`/api/jobs/${extraction}/retry`)).statusCode).toBe(202);
      expect(await jobOf(extraction)).toMatchObject({ state: 'queued' });
      expect(await waitsFor(extraction)).toBe(newParse);
    });

    it('starts at once after the newer parse has succeeded', async () => {
      const { fileId, extraction } = await uploadTwice();
      await asWorker(api, ada).read(fileId, {});
      api.producer.enqueued.length = 0;
      expect((await ada.post(`/api/jobs/${extraction}/retry`)).statusCode).toBe(202);
      expect(await waitsFor(extraction)).toBeNull();
      expect(api.producer.enqueued.map((message) => message.id)).toEqual([extraction]);
    });

    it('is cancelled with the newer parse, and queued again with it', async () => {
      const { extraction, newParse } = await uploadTwice();
      await ada.post(`/api/jobs/${extraction}/retry`);
      expect((await ada.post(`/api/jobs/${newParse}/cancel`)).statusCode).toBe(200);
      expect((await jobOf(extraction)).state).toBe('cancelled');
      expect((await ada.post(`/api/jobs/${newParse}/retry`)).statusCode).toBe(202);
      expect((await jobOf(extraction)).state).toBe('queued');
      expect(await waitsFor(extraction)).toBe(newParse);
    });

    it('is queued again with the newer parse also when it had run before', async () => {
      const { extraction, newParse } = await uploadTwice();
      await set(extraction, sql`state = 'failed', attempt = 1, started_at = now() - interval '1 hour'`);
      await ada.post(`/api/jobs/${extraction}/retry`);
      await ada.post(`/api/jobs/${newParse}/cancel`);
      await ada.post(`/api/jobs/${newParse}/retry`);
      expect((await jobOf(extraction)).state).toBe('queued');
    });

    it('does not queue another extraction that was cancelled with it', async () => {
      const first = await start('a.json');
      const other = await ada.post('/api/reports/extract', { id: first.fileId, kinds: ['threats'] });
      expect(other.statusCode).toBe(202);
      await ada.upload({ name: 'a.json', content: bundle('other') });
      expect((await ada.post(`/api/jobs/${first.extraction}/retry`)).statusCode).toBe(202);
      const { jobs: found } = (
        await ada.get(`/api/jobs?kind=stix.extract&fileId=${first.fileId}&state=queued`)
      ).json<{ jobs: Job[] }>();
      expect(found.map((job) => job._id)).toEqual([first.extraction]);
    });
  });

  it('succeeds once for concurrent requests', async () => {
    const { parse } = await start();
    await set(parse, sql`state = 'failed', finished_at = now()`);
    const answers = await Promise.all(Array.from({ length: 8 }, () => ada.post(`/api/jobs/${parse}/retry`)));
    expect(answers.filter((answer) => answer.statusCode === 202)).toHaveLength(1);
    expect(answers.filter((answer) => answer.statusCode === 409)).toHaveLength(7);
  });
});
