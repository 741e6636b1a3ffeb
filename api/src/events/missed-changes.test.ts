import assert from 'node:assert/strict';
import { type ChangedEvent, changedEvent, eventTopic, type ServerMessage } from '@riskboard/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeAsset, makeProject, put } from '../testing/make-records.ts';
import { type Person, signUp } from '../testing/person.ts';
import { bundle } from '../testing/report.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';
import { shop, uploadVignette, vignetteUrl } from '../testing/vignettes.ts';
import { createHub } from './hub.ts';
import { missedChanges } from './missed-changes.ts';
import { type RecordedChange, recordedChanges } from './recorded-changes.ts';

const change = (id: string, rowId: string | null = 'row'): RecordedChange => ({
  id,
  type: 'vulnerability.changed',
  by: 'ada',
  rowId,
});

const event = (rows: readonly string[] | number): ChangedEvent =>
  changedEvent('vulnerability.changed', { action: 'updated', by: 'ada' }, rows);

/** What is delivered for a row that was missed. */
const again = (rows: readonly string[] | number): ChangedEvent => ({ ...event(rows), action: 'changed' });

describe('the comparison of events and changes', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** @param before changes before the first check */
  async function started(before: RecordedChange[] = []) {
    const delivered: ChangedEvent[] = [];
    const errors: unknown[] = [];
    const recorded = [...before];
    const state = { seconds: [] as number[], isFailing: false };
    const missed = missedChanges({
      async read(seconds) {
        state.seconds.push(seconds);
        if (state.isFailing) throw new Error('no answer');
        return recorded.toReversed();
      },
      deliver: (one) => void delivered.push(one),
      onError: (error) => void errors.push(error),
    });
    await missed.start();
    const checks = (count: number) => vi.advanceTimersByTimeAsync(count * 30_000);
    return { missed, delivered, errors, recorded, state, checks };
  }

  it('delivers the event of a change that had none, once, at the second check after the change', async () => {
    const { recorded, delivered, checks } = await started();
    recorded.push(change('1'), change('2', null));
    await checks(1);
    expect(delivered).toEqual([]);
    await checks(5);
    expect(delivered).toEqual([again(['row']), again(1)]);
  });

  it('delivers nothing for changes with an event, whether it arrives before or after the check', async () => {
    const { missed, recorded, delivered, checks } = await started();
    missed.received(event(['row', 'other']));
    recorded.push(change('1'));
    await checks(1);
    recorded.push(change('2', 'other'), change('3', 'late'), change('4', null), change('5', 'one of many'));
    await checks(1);
    for (const rows of [['late'], ['a', 'b'], 200]) missed.received(event(rows));
    await checks(5);
    expect(delivered).toEqual([]);
  });

  it('delivers the second change of a row whose first change had the only event', async () => {
    const { missed, recorded, delivered, checks } = await started();
    missed.received(event(['row']));
    recorded.push(change('1'), change('2'));
    await checks(2);
    expect(delivered).toEqual([again(['row'])]);
  });

  it('an event announces no change by another account, of another kind, or of a later time', async () => {
    const { missed, recorded, delivered, checks } = await started();
    missed.received({ ...event(['row']), by: 'eve' });
    missed.received({ ...event(['row']), type: 'threat.changed' });
    missed.received(event(['later']));
    recorded.push(change('1'));
    await checks(2);
    recorded.push(change('2', 'later'));
    await checks(2);
    expect(delivered).toEqual([again(['row']), again(['later'])]);
  });

  it('delivers nothing for changes before the first check, nor after the end', async () => {
    const { missed, recorded, delivered, checks } = await started([change('1')]);
    await checks(5);
    recorded.push(change('2'));
    await checks(1);
    missed.stop();
    await checks(5);
    expect(delivered).toEqual([]);
  });

  it('reports a failed check, and reads the changes since the last successful one at the next', async () => {
    const { recorded, delivered, errors, state, checks } = await started();
    state.isFailing = true;
    recorded.push(change('1'));
    await checks(3);
    expect(errors).toHaveLength(3);
    state.isFailing = false;
    await checks(2);
    expect(state.seconds).toEqual([60, 90, 120, 150, 180, 90]);
    expect(delivered).toEqual([again(['row'])]);
  });
});

describe('sockets of an organization', () => {
  let api: TestApi;
  let ada: Person;

  beforeAll(async () => {
    api = await startApi();
  });
  beforeEach(async () => {
    ada = await signUp(api);
  });
  afterAll(() => api.close());

  let end = async (): Promise<void> => undefined;
  afterEach(() => end());

  /** Messages to a socket of the organization in an api process that checks so often. */
  async function listen(checkEveryMs: number) {
    const messages: ServerMessage[] = [];
    let checks = 0;
    const hub = createHub({
      relay: api.relay.port,
      // Never answers.
      readMetrics: () => Promise.withResolvers<never>().promise,
      async readChanges(recent) {
        const changes = await recordedChanges(api.database, recent);
        checks += 1;
        return changes;
      },
      checkEveryMs,
      onError: (error) => assert.fail(String(error)),
    });
    end = () => hub.close();
    await hub.join({
      organizationId: ada.user.organizationId,
      deliver: ({ message }) => void messages.push(message),
    });
    return {
      messages,
      async checked(count: number) {
        const until = checks + count;
        await vi.waitFor(() => assert(checks >= until));
      },
    };
  }

  /** Loses events while `work` runs. */
  async function withoutEvents(work: () => Promise<unknown>): Promise<void> {
    const { publish } = api.relay.port;
    api.relay.port.publish = async (topic, message) => {
      if (topic !== eventTopic(ada.user.organizationId)) await publish(topic, message);
    };
    try {
      await work();
    } finally {
      api.relay.port.publish = publish;
    }
  }

  it('get an event of each change whose own event was lost', async () => {
    const project = await makeProject(ada);
    const asset = await makeAsset(ada, project._id);
    const { messages, checked } = await listen(50);
    await withoutEvents(async () => {
      await put(ada, `/api/assets/${asset._id}`, { name: 'Gate server 2' }, `"${asset.version}"`);
      await uploadVignette(ada, shop);
      await ada.upload({ name: 'a.json', content: bundle('a.json') });
      await put(ada, '/api/organization', { name: 'Quay' });
    });
    await checked(4);
    const all = messages as ChangedEvent[];
    expect(all.map(({ type }) => type).toSorted()).toEqual([
      'asset.changed',
      'file.changed',
      'organization.changed',
      'vignette.changed',
    ]);
    const common = { action: 'changed', by: ada.user._id, count: 1 };
    expect(all.find(({ type }) => type === 'asset.changed')).toEqual({
      type: 'asset.changed',
      ids: [asset._id],
      ...common,
    });
    expect(all).toMatchObject(all.map(() => common));
  });

  it('get no event twice', async () => {
    // Within the time of two checks, an event arrives after the commit.
    const { messages, checked } = await listen(1000);
    const done = async (call: Promise<{ statusCode: number; body: string }>) => {
      const answer = await call;
      assert(answer.statusCode < 300, answer.body);
      return JSON.parse(answer.body) as { _id: string; version: number };
    };
    const project = await makeProject(ada);
    const asset = await makeAsset(ada, project._id);
    const other = await makeAsset(ada, project._id, { name: 'Crane' });
    const ids = [asset._id, other._id];
    const threat = await done(
      ada.post('/api/threats', { name: 'Flood', description: 'Water', relatedAssets: ids }),
    );
    const vulnerability = await done(
      ada.post('/api/vulnerabilities', { name: 'Open port', description: 'Telnet', severity: 7 }),
    );
    await done(
      ada.post(`/api/assets/${asset._id}/relations`, { add: { vulnerabilities: [vulnerability._id] } }),
    );
    await done(put(ada, '/api/assets/bulk', { ids, change: { criticality: 3 } }));
    await done(
      put(ada, '/api/vulnerabilities/bulk', { ids: [vulnerability._id], change: { status: 'mitigated' } }),
    );
    await done(ada.call({ method: 'DELETE', url: `/api/threats/${threat._id}` }));
    await done(ada.post('/api/threats/restore', { ids: [threat._id] }));
    await done(ada.call({ method: 'DELETE', url: '/api/assets/bulk', body: { ids } }));
    const vignette = await done(uploadVignette(ada, shop));
    await done(ada.call({ method: 'DELETE', url: `${vignetteUrl}/${vignette._id}` }));
    await done(ada.upload({ name: 'a.json', content: bundle('a.json') }));
    await done(ada.post('/api/batches', {}));
    await done(put(ada, '/api/organization', { name: 'Quay' }));
    await done(put(ada, '/api/auth/me', { firstName: 'Grace' }));
    await done(ada.post('/api/organization/invitations', { email: 'grace@example.com', role: 'viewer' }));
    await done(ada.call({ method: 'DELETE', url: `/api/projects/${project._id}` }));
    // At the second check a missed change is delivered; by the third, it has reached the socket.
    await checked(3);
    const received = (messages as ChangedEvent[]).filter(({ action }) => action === 'changed');
    const countOf = (events: readonly ChangedEvent[]) => events.reduce((sum, { count }) => sum + count, 0);
    // The only event whose own action is `changed`, as that of a missed change is.
    const isOfOrganization = ({ type }: ChangedEvent) => type === 'organization.changed';
    expect(received.filter((one) => !isOfOrganization(one))).toEqual([]);
    expect(countOf(received.filter(isOfOrganization))).toBe(3);
    // That all changes reached the socket.
    expect(messages).toContainEqual(
      expect.objectContaining({ type: 'project.changed', action: 'deleted', ids: [project._id] }),
    );
  });
});
