import { contract, type Endpoint, type ErrorReply } from '@riskboard/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asWorker } from './testing/as-worker.ts';
import { type Answer, type Person, signUp, visitor } from './testing/person.ts';
import { bundle, strangeId } from './testing/report.ts';
import { sample } from './testing/sample.ts';
import { startApi, type TestApi } from './testing/start-api.ts';

/** The whole table: an endpoint that is added tomorrow is walked tomorrow. */
const everything: [string, Endpoint][] = Object.entries(contract).flatMap(([noun, table]) =>
  Object.entries(table).map(([name, endpoint]): [string, Endpoint] => [`${noun}.${name}`, endpoint]),
);
const writes = everything.filter(([, { method }]) => method !== 'GET');
const guarded = everything.filter(([, { access }]) => access !== 'public');
/** Endpoints that take an identifier in path, query or body. */
const referring = guarded.filter(([, { params, query, body }]) =>
  [params, query, body].some((schema) => schema && JSON.stringify(sample(schema, 'an-id')).includes('an-id')),
);

let api: TestApi;
let owner: Person;
let viewer: Person;
let stranger: Person;
/** Everything that the stranger has. */
let theirs: string[];

beforeAll(async () => {
  api = await startApi();
  [owner, viewer, stranger] = await Promise.all([signUp(api), signUp(api), signUp(api)]);
  await viewer.becomes('viewer');
  const upload = (await stranger.upload({ name: 'theirs.json', content: bundle() })).json<{
    _id: string;
    jobId: string;
  }>();
  const worker = asWorker(api, stranger);
  await worker.read(upload._id, { records: [{ key: 'CVE-1' }, { key: 'T-1', kind: 'threat' }] });
  await worker.extract(upload._id);
  const records = await worker.inside((trx) =>
    sql<{ id: string }>`select id from vulnerability union all select id from threat`.execute(trx),
  );
  theirs = [upload._id, upload.jobId, stranger.user._id, stranger.user.organizationId];
  theirs.push(...records.rows.map((row) => row.id));
});
afterAll(() => api.close());

/** The endpoint called with this identifier wherever it takes one. */
function request(endpoint: Endpoint, id: string) {
  const { method, query, body } = endpoint;
  const asked = query ? (sample(query, id) as Record<string, string>) : {};
  const search = new URLSearchParams(asked['fileId'] ? { fileId: asked['fileId'] } : {}).toString();
  const url = `${endpoint.path.replace(':id', id)}${search ? `?${search}` : ''}`;
  return { method, url, ...(body ? { body: sample(body, id) as object } : {}) };
}

/** Absent, or a list or bulk call that found none. */
function foundNothing(answer: Answer): boolean {
  const { statusCode, total, deletedCount } = answer.json<Record<string, unknown>>();
  return statusCode === 404 || total === 0 || deletedCount === 0;
}

const withoutRequestId = (answer: Answer, id: string): string =>
  answer.body.replaceAll(/"requestId":"[^"]+"/gu, '').replaceAll(id, 'the id');

describe(`every endpoint of the contract (${everything.length})`, () => {
  it('is walked: none is missing, in the document neither', () => {
    expect(everything.length).toBeGreaterThanOrEqual(28);
    expect(guarded.length).toBeGreaterThanOrEqual(22);
    expect(referring.length).toBeGreaterThanOrEqual(18);
    const documented = Object.entries(api.app.swagger().paths ?? {}).flatMap(([path, methods]) =>
      Object.keys(methods ?? {}).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const declared = everything.map(([, { method, path }]) => `${method} ${path.replace(':id', '{id}')}`);
    expect(documented.toSorted()).toEqual(declared.toSorted());
  });

  it.each(guarded)('%s without a session is 401', async (_name, endpoint) => {
    const answer = await visitor(api).call(request(endpoint, strangeId()));
    expect(answer.statusCode).toBe(401);
    expect(answer.json<ErrorReply>().code).toBe('not_signed_in');
  });

  it.each(writes)('%s from a foreign page is 403', async (_name, endpoint) => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: undefined, 'sec-fetch-site': 'cross-site' },
      { origin: undefined, 'sec-fetch-site': 'same-site' },
    ]) {
      const answer = await owner.call({ ...request(endpoint, strangeId()), headers });
      expect(answer.statusCode).toBe(403);
      expect(answer.json<ErrorReply>().code).toBe('foreign_origin');
    }
  });

  it.each(writes.filter(([, { access }]) => access !== 'public'))(
    '%s by a cookie alone, from no page at all, is 403',
    async (_name, endpoint) => {
      const answer = await owner.call({
        ...request(endpoint, strangeId()),
        headers: { origin: undefined },
      });
      expect(answer.statusCode).toBe(403);
    },
  );

  it.each(guarded)('%s asks for its role and no more', async (_name, endpoint) => {
    const answer = await viewer.call(request(endpoint, strangeId()));
    const refused = answer.statusCode === 403 && answer.json<ErrorReply>().code === 'role_too_low';
    expect(refused).toBe(endpoint.access !== 'viewer');
  });

  it.each(guarded.filter(([, { method }]) => method !== 'GET'))('%s is no reading', (_name, endpoint) => {
    expect(endpoint.access).not.toBe('viewer');
  });

  it.each(referring)("%s answers another organisation's ids as unknown ones", async (_name, endpoint) => {
    const unknown = strangeId();
    const expected = await owner.call(request(endpoint, unknown));
    expect(foundNothing(expected)).toBe(true);
    for (const id of theirs) {
      const answer = await owner.call(request(endpoint, id));
      expect(answer.statusCode).toBe(expected.statusCode);
      expect(withoutRequestId(answer, id)).toBe(withoutRequestId(expected, unknown));
    }
  });

  it.each(everything.filter(([, { params }]) => params))(
    '%s with an id that is none is 404',
    async (_n, endpoint) => {
      for (const id of ['x', '..', '%00', '1'.repeat(150), "'; drop table job; --"]) {
        const { method, body } = request(endpoint, strangeId());
        const url = endpoint.path.replace(':id', id === '%00' ? id : encodeURIComponent(id));
        expect((await owner.call({ method, url, ...(body ? { body } : {}) })).statusCode).toBe(404);
      }
    },
  );

  it.each(everything)('%s answers unknown methods with 404', async (_name, { path }) => {
    for (const method of ['PATCH', 'TRACE', 'OPTIONS'] as const) {
      const answer = await owner.call({ method, url: path.replace(':id', strangeId()) });
      expect([404, 405]).toContain(answer.statusCode);
    }
  });
});

it('left everything of the other organisation as it was', async () => {
  const files = await stranger.get('/api/reports/files');
  expect(files.json()).toMatchObject({ total: 1, files: [{ vulnerabilityCount: 1, threatCount: 1 }] });
  expect((await stranger.get('/api/jobs')).json()).toMatchObject({ total: 1 });
  expect((await stranger.get('/api/vulnerabilities')).json()).toMatchObject({ total: 1 });
  expect((await stranger.get('/api/threats')).json()).toMatchObject({ total: 1 });
});
