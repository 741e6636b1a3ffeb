import assert from 'node:assert/strict';
import { promisify } from 'node:util';
import { closeCodes, eventTopic, type Job, mostInSnapshot } from '@riskboard/contract';
import { requestRecompute, withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { cookieHeader, type Person, signUp } from '../testing/person.ts';
import { bundle } from '../testing/report.ts';
import { origin, startApi, type TestApi } from '../testing/start-api.ts';
import { listen, openStream, refusal, type Stream } from '../testing/stream.ts';

let api: TestApi;
let second: TestApi;
let url: string;
let secondUrl: string;
let ada: Person;
const open: Stream[] = [];

beforeAll(async () => {
  api = await startApi();
  second = await startApi({}, { with: api });
  [url, secondUrl] = await Promise.all([listen(api), listen(second)]);
});
beforeEach(async () => {
  ada = await signUp(api);
});
afterEach(async () => {
  for (const { socket } of open.splice(0)) socket.terminate();
  await vi.waitFor(() => assert.equal(api.relay.subscriptions(), 0));
});
afterAll(async () => {
  await second.close();
  await api.close();
});

async function stream(person: Person, at = url): Promise<Stream> {
  const opening = openStream(at, person);
  open.push(opening);
  await opening.opened();
  return opening;
}

const upload = async (person: Person, name = 'a.json'): Promise<string> =>
  (await person.upload({ name, content: bundle(name) })).json<{ jobId: string }>().jobId;

describe('the handshake', () => {
  it('is refused without a session and to a foreign page', async () => {
    const cookie = cookieHeader(ada.cookies);
    expect(await refusal(url, { origin })).toBe(401);
    expect(await refusal(url, { origin, cookie: 'rb_session=nonsense' })).toBe(401);
    expect(await refusal(url, { origin: 'https://evil.example', cookie })).toBe(403);
    expect(await refusal(url, { origin: 'null', cookie })).toBe(403);
  });

  it.each(['/', '/reset-password?token=x', '/api/nothing', '/api/jobs', '/api/health/live'])(
    'at %s, which accepts no WebSocket, is refused and its connection closed',
    async (path) => {
      const connections = promisify(api.app.server.getConnections.bind(api.app.server));
      const before = await connections();
      const headers = { origin: 'https://evil.example', cookie: cookieHeader(ada.cookies) };
      expect(await refusal(new URL(path, url).href, headers)).toBe(400);
      await vi.waitFor(async () => assert.equal(await connections(), before));
    },
  );

  it('refuses plain HTTP requests', async () => {
    expect((await ada.get('/api/events')).statusCode).toBe(400);
  });
});

describe('the stream', () => {
  it('starts with the same jobs as the job list by state: running ones, then the newest', async () => {
    const parse = await upload(ada);
    await withOrganization(api.database, ada.user.organizationId, (trx) => requestRecompute(trx, null));
    await withOrganization(api.database, ada.user.organizationId, (trx) =>
      sql`insert into job (organization_id, id, kind, payload, state, created_at)
        select current_organization(), ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'stix.parse', '{}',
          case n when 1 then 'running' else 'queued' end, now() - interval '1 day'
        from generate_series(1, ${mostInSnapshot + 5}::int) n`.execute(trx),
    );
    const { messages } = await stream(ada);
    await vi.waitFor(() => assert.equal(messages.length, 2));
    const [, snapshot] = messages;
    assert(snapshot?.type === 'snapshot');
    const ids = snapshot.jobs.map((job) => job._id);
    const listed: string[] = [];
    let cursor = '';
    while (listed.length < mostInSnapshot) {
      const page = await ada.get(`/api/jobs?state=queued&state=running&sort=-state&pageSize=500${cursor}`);
      const { jobs, nextCursor } = page.json<{ jobs: Job[]; nextCursor: string }>();
      listed.push(...jobs.map((job) => job._id));
      cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
    }
    expect(ids).toEqual(listed);
    expect(ids).toHaveLength(mostInSnapshot);
    expect(ids.slice(0, 2)).toEqual(['01900000-0000-7000-8000-000000000001', parse]);
  });

  it('starts with hello and every unfinished job', async () => {
    const jobId = await upload(ada);
    const done = await upload(ada, 'b.json');
    await ada.post(`/api/jobs/${done}/cancel`);
    const { messages } = await stream(ada);
    expect(messages).toMatchObject([
      { type: 'hello' },
      { type: 'snapshot', jobs: [{ _id: jobId, state: 'queued' }] },
    ]);
    expect(messages).toHaveLength(2);
  });

  it('sends the events of the own organization and of no other', async () => {
    const eve = await signUp(api);
    const [mine, theirs] = await Promise.all([stream(ada), stream(eve)]);
    const jobId = await upload(ada);
    await vi.waitFor(() => expect(mine.types()).toContain('file.changed'));
    expect(mine.messages.slice(2)).toMatchObject([
      { type: 'job.updated', job: { _id: jobId, version: 1 } },
      { type: 'file.changed', action: 'created', count: 1, by: ada.user._id },
    ]);
    expect(theirs.types()).toEqual(['hello', 'snapshot']);
  });

  it('includes every event that is published while it starts', async () => {
    const opening = openStream(url, ada);
    open.push(opening);
    const uploads = Array.from({ length: 10 }, (_, n) => upload(ada, `${n}.json`));
    const ids = await Promise.all(uploads);
    await opening.opened();
    const known = (): Set<string> => {
      const jobs: Job[] = opening.messages.flatMap((message) => {
        if (message.type === 'snapshot') return message.jobs;
        return message.type === 'job.updated' ? [message.job] : [];
      });
      return new Set(jobs.map((job) => job._id));
    };
    await vi.waitFor(() => expect([...known()].toSorted()).toEqual(ids.toSorted()));
  });

  it('sends events that precede the snapshot after it', async () => {
    const { publish, subscribe } = api.relay.port;
    const topic = eventTopic(ada.user.organizationId);
    api.relay.port.subscribe = async (pattern, handler) => {
      if (pattern.startsWith('session.'))
        await publish(topic, { type: 'file.changed', action: 'updated', count: 1, by: null });
      return subscribe(pattern, handler);
    };
    const mine = await stream(ada);
    api.relay.port.subscribe = subscribe;
    await vi.waitFor(() => expect(mine.types()).toEqual(['hello', 'snapshot', 'file.changed']));
  });

  it('sends the numbers of the overview after a change, from each process to its own sockets once', async () => {
    const streams = [await stream(ada), await stream(ada, secondUrl)];
    await ada.post('/api/threats', { name: 'Emotet', description: 'Loader' });
    for (const { messages, types } of streams) {
      await vi.waitFor(() => expect(types()).toContain('metrics.updated'));
      const updates = messages.filter(({ type }) => type === 'metrics.updated');
      expect(updates).toMatchObject([{ metrics: { totalThreats: { value: 1 } } }]);
    }
  });

  it('reaches the sockets of every process', async () => {
    const [here, there] = await Promise.all([stream(ada), stream(ada, secondUrl)]);
    const jobId = await upload(ada);
    for (const { messages } of [here, there])
      await vi.waitFor(() =>
        expect(messages).toContainEqual(
          expect.objectContaining({ type: 'job.updated', job: expect.objectContaining({ _id: jobId }) }),
        ),
      );
  });

  it('ends with 4401 at logout, in every process, and only for that session', async () => {
    const elsewhere = await signUp(api);
    const [here, there, other] = await Promise.all([stream(ada), stream(ada, secondUrl), stream(elsewhere)]);
    await ada.post('/api/auth/logout');
    expect(await here.closed).toBe(closeCodes.sessionEnded);
    expect(await there.closed).toBe(closeCodes.sessionEnded);
    expect(other.socket.readyState).toBe(other.socket.OPEN);
  });

  it('closes when the session ends before the stream watches it', async () => {
    const { subscribe } = api.relay.port;
    api.relay.port.subscribe = async (pattern, handler) => {
      if (pattern.startsWith('session.')) await ada.post('/api/auth/logout');
      return subscribe(pattern, handler);
    };
    const late = openStream(url, ada);
    expect(await late.closed).toBe(closeCodes.sessionEnded);
    expect(late.messages).toEqual([]);
    api.relay.port.subscribe = subscribe;
  });

  it('refuses large messages from a client', async () => {
    const mine = await stream(ada);
    mine.socket.send('x'.repeat(17 * 1024));
    expect(await mine.closed).toBe(1009);
  });

  it('closes with 1011 when the relay subscription fails', async () => {
    const { subscribe } = api.relay.port;
    api.relay.port.subscribe = () => Promise.reject(new Error('down'));
    expect(await openStream(url, ada).closed).toBe(1011);
    api.relay.port.subscribe = subscribe;
  });

  it('is closed at shutdown', async () => {
    const third = await startApi({}, { with: api });
    const mine = await stream(ada, await listen(third));
    await third.close();
    expect([1001, 1005, 1006]).toContain(await mine.closed);
  });

  it('of a suspended browser does not delay shutdown', async () => {
    const third = await startApi({}, { with: api });
    const mine = await stream(ada, await listen(third));
    mine.socket.pause();
    // Without a limit, the close waits for the browser for ever and the test times out.
    await expect(third.close()).resolves.toBeUndefined();
  });
});
