import {
  type ErrorReply,
  eventTopic,
  type Job,
  type Organization,
  sessionEndedTopic,
} from '@riskboard/contract';
import { insertJob } from '@riskboard/db';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { form } from '../testing/form.ts';
import { bySession, insertToken } from '../testing/accounts/member.ts';
import { freshEmail, password } from '../testing/person.ts';
import { script } from '../testing/accounts/script.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';
import {
  type Colleague,
  enableSecondFactor,
  makeTeam,
  type Team,
  topicsSince,
} from '../testing/accounts/team.ts';

let api: TestApi;
let team: Team;
let owner: Colleague;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  team = await makeTeam(api);
  owner = await team.join('owner');
});

const url = '/api/organization';
const update = (body: object, by = owner) => by.call('PUT', url, body);

describe('the organization', () => {
  it('has a name, a member count and its second-factor setting', async () => {
    const viewer = await team.join('viewer');
    await (await makeTeam(api)).join('owner');
    expect((await viewer.call('GET', url)).json<Organization>()).toEqual({
      _id: team.organizationId,
      name: 'Northquay',
      createdAt: expect.any(String) as string,
      members: 2,
      requireSecondFactor: false,
      autoRecalculateCwss: false,
      deletingSince: null,
    });
  });

  it('can be renamed; the change is recorded with before and after, and published', async () => {
    const other = await makeTeam(api);
    const neighbour = await other.join('owner');
    const from = api.relay.published.length;
    const answer = await update({ name: '  Southquay ' });
    expect(answer.json<Organization>().name).toBe('Southquay');
    expect(await team.log()).toMatchObject([
      {
        action: 'organization.updated',
        noun_id: team.organizationId,
        name: 'Southquay',
        detail: { changes: { name: { from: 'Northquay', to: 'Southquay' } } },
      },
    ]);
    expect(topicsSince(api, from)).toEqual([eventTopic(team.organizationId)]);
    expect((await neighbour.call('GET', url)).json<Organization>().name).toBe('Northquay');
  });

  it('can have an empty name', async () => {
    expect((await update({ name: '' })).json<Organization>().name).toBe('');
  });

  it.each([[{}], [{ name: 'Northquay' }], [{ requireSecondFactor: false }]])(
    'is not changed by %j, and nothing is recorded',
    async (body) => {
      const from = api.relay.published.length;
      expect((await update(body)).statusCode).toBe(200);
      expect(await team.log()).toEqual([]);
      expect(topicsSince(api, from)).toEqual([]);
    },
  );
});

describe('automatic recalculation of CWSS scores', () => {
  it('is switched on and off by an owner; the change is recorded and published', async () => {
    const from = api.relay.published.length;
    const answer = await update({ autoRecalculateCwss: true });
    expect(answer.statusCode).toBe(200);
    expect(answer.json<Organization>()).toMatchObject({ name: 'Northquay', autoRecalculateCwss: true });
    const viewer = await team.join('viewer');
    expect((await viewer.call('GET', url)).json<Organization>().autoRecalculateCwss).toBe(true);
    expect(await team.log()).toMatchObject([
      {
        action: 'organization.updated',
        detail: { changes: { autoRecalculateCwss: { from: false, to: true } } },
      },
    ]);
    expect(topicsSince(api, from)).toEqual([eventTopic(team.organizationId)]);
    expect((await update({ autoRecalculateCwss: false })).json<Organization>().autoRecalculateCwss).toBe(
      false,
    );
  });

  it('that is already as requested changes and records nothing', async () => {
    const from = api.relay.published.length;
    expect((await update({ autoRecalculateCwss: false })).statusCode).toBe(200);
    expect(await team.log()).toEqual([]);
    expect(topicsSince(api, from)).toEqual([]);
  });

  it.each(['analyst', 'viewer'] as const)('is not for the role %s', async (role) => {
    const member = await team.join(role);
    expect((await update({ autoRecalculateCwss: true }, member)).statusCode).toBe(403);
    expect((await owner.call('GET', url)).json<Organization>().autoRecalculateCwss).toBe(false);
  });

  it.each(['yes', 1, null])('is not %j', async (autoRecalculateCwss) => {
    const answer = await update({ autoRecalculateCwss });
    expect(answer.statusCode).toBe(422);
    expect(answer.json<ErrorReply>().details?.[0]?.path).toBe('autoRecalculateCwss');
  });
});

describe('requiring a second factor', () => {
  it('is refused to an owner without a second factor', async () => {
    const answer = await update({ name: 'Renamed too', requireSecondFactor: true });
    expect(answer.statusCode).toBe(422);
    expect(answer.json<ErrorReply>().details).toEqual([
      { path: 'requireSecondFactor', message: 'Set up a second factor for yourself first.' },
    ]);
    const now = (await owner.call('GET', url)).json<Organization>();
    expect(now).toMatchObject({ name: 'Northquay', requireSecondFactor: false });
  });

  it('refuses members without a second factor from their next call on', async () => {
    const ben = await team.join('viewer');
    await enableSecondFactor(api, owner.accountId);
    expect((await update({ requireSecondFactor: true })).statusCode).toBe(200);
    const refused = await ben.call('GET', url);
    expect([refused.statusCode, refused.json<ErrorReply>().code]).toEqual([403, 'second_factor_required']);
    expect((await ben.call('GET', '/api/auth/me')).statusCode).toBe(200);
    expect(await team.log()).toMatchObject([
      { detail: { changes: { requireSecondFactor: { from: false, to: true } } } },
    ]);
    await enableSecondFactor(api, ben.accountId);
    expect((await ben.call('GET', url)).statusCode).toBe(200);
  });
});

describe('deleting an organization', () => {
  const remove = (body: { name?: string; password?: string } = {}, by = owner) =>
    by.call('DELETE', url, { name: 'Northquay', password, ...body });
  const report = JSON.stringify({ type: 'bundle', id: 'bundle--1', objects: [] });

  async function expectWhole(): Promise<void> {
    expect((await owner.call('GET', url)).json<Organization>().deletingSince).toBeNull();
    expect((await owner.call('GET', '/api/jobs')).json()).toMatchObject({ total: 0 });
  }

  it.each([
    ['another name', { name: 'Southquay' }, 422],
    ['the name in another case', { name: 'northquay' }, 422],
    ['the text shown for an empty name', { name: 'Organization not set' }, 422],
    ['nothing', { name: '' }, 422],
    ['a wrong password', { password: 'not the password' }, 403],
  ])('is refused for %s', async (_what, body, status) => {
    const answer = await remove(body);
    expect(answer.statusCode).toBe(status);
    if (status === 422) expect(answer.json<ErrorReply>().details).toMatchObject([{ path: 'name' }]);
    await expectWhole();
  });

  it('requires the display name when it has no name', async () => {
    await update({ name: '' });
    expect((await remove({ name: '' })).statusCode).toBe(422);
    expect((await remove({ name: ' Organization not set ' })).statusCode).toBe(202);
  });

  it('accepts a name that looks like the stored one', async () => {
    await team.inside((trx) =>
      trx.updateTable('organization').set({ name: 'North\u202E\u00A0quay' }).execute(),
    );
    expect((await remove({ name: 'North quay' })).statusCode).toBe(202);
  });

  it('starts a job that the owner can watch, and ends sessions, tokens and invitations', async () => {
    const ben = await team.join('analyst');
    await owner.call('POST', `${url}/invitations`, { email: freshEmail() });
    const call = script(api, await insertToken(api, owner, { role: 'owner' }));
    await bySession(api, owner);
    const [ended] = await team.inside((trx) =>
      trx
        .updateTable('session')
        .set({ ended_at: new Date(0) })
        .where('account_id', '=', owner.accountId)
        .where('id', '<>', owner.sessionId)
        .returning('id')
        .execute(),
    );
    const from = api.relay.published.length;
    const answer = await remove();
    expect(answer.statusCode).toBe(202);
    const { jobId } = answer.json<{ jobId: string }>();
    expect(answer.headers['location']).toBe(`/api/jobs/${jobId}`);
    expect((await owner.call('GET', `/api/jobs/${jobId}`)).json<Job>()).toMatchObject({
      kind: 'organization.delete',
      state: 'queued',
      createdBy: owner.accountId,
    });
    expect(api.producer.enqueued).toContainEqual({
      id: jobId,
      kind: 'organization.delete',
      organizationId: team.organizationId,
      order: expect.any(Number),
    });
    expect((await owner.call('GET', url)).json<Organization>().deletingSince).toEqual(expect.any(String));
    expect((await ben.call('GET', '/api/auth/me')).statusCode).toBe(401);
    expect((await call('GET', '/api/auth/me')).statusCode).toBe(401);
    const live = await team.inside((trx) =>
      trx.selectFrom('session').select('id').where('ended_at', 'is', null).execute(),
    );
    expect(live).toEqual([{ id: owner.sessionId }]);
    expect(topicsSince(api, from)).toEqual(
      expect.arrayContaining([sessionEndedTopic(ben.sessionId), eventTopic(team.organizationId)]),
    );
    for (const id of [owner.sessionId, ended?.id ?? ''])
      expect(topicsSince(api, from)).not.toContain(sessionEndedTopic(id));
    const left = await team.inside((trx) => trx.selectFrom('invitation').select('id').execute());
    expect(left).toEqual([]);
    expect((await team.log()).at(-1)).toMatchObject({
      action: 'organization.deletion-started',
      noun_id: team.organizationId,
      name: 'Northquay',
    });
  });

  it('cancels all other jobs', async () => {
    const { headers, remoteAddress } = await bySession(api, owner);
    const upload = form({ name: 'a.json', content: report });
    const uploaded = await api.app.inject({
      method: 'POST',
      url: '/api/reports/upload',
      headers: { ...headers, ...upload.headers },
      payload: upload.payload,
      remoteAddress,
    });
    expect(uploaded.statusCode).toBe(201);
    const from = api.relay.published.length;
    const { jobId } = (await remove()).json<{ jobId: string }>();
    const { jobs } = (await owner.call('GET', '/api/jobs')).json<{ jobs: Job[] }>();
    const parse = jobs.find(({ kind }) => kind === 'stix.parse');
    expect(Object.fromEntries(jobs.map(({ kind, state }) => [kind, state]))).toEqual({
      'organization.delete': 'queued',
      'stix.parse': 'cancelled',
    });
    expect(topicsSince(api, from)).toContain(`job.${parse?._id}.cancelled`);
    expect(topicsSince(api, from)).not.toContain(`job.${jobId}.cancelled`);
  });

  it('that failed can be retried by an owner, but no other job', async () => {
    const analyst = await team.join('analyst');
    const { jobId } = (await remove()).json<{ jobId: string }>();
    await team.inside((trx) =>
      trx
        .updateTable('job')
        .set({ state: 'failed', finished_at: new Date() })
        .where('id', '=', jobId)
        .execute(),
    );
    const other = await team.inside((trx) =>
      insertJob(trx, { organizationId: team.organizationId, kind: 'alerts.evaluate', payload: {} }),
    );
    await team.inside((trx) =>
      trx
        .updateTable('job')
        .set({ state: 'cancelled', finished_at: new Date() })
        .where('id', '=', other)
        .execute(),
    );
    const retry = (id: string, caller = owner) => caller.call('POST', `/api/jobs/${id}/retry`);
    expect((await retry(other)).json<ErrorReply>().message).toBe('The organization is being deleted.');
    expect((await retry(jobId, analyst)).statusCode).toBe(401);
    api.producer.enqueued.length = 0;
    expect((await retry(jobId)).statusCode).toBe(202);
    expect(api.producer.enqueued).toEqual([expect.objectContaining({ id: jobId })]);
    expect((await retry(jobId)).statusCode).toBe(409);
  });

  it('does not affect another organization', async () => {
    const neighbour = await (await makeTeam(api)).join('owner');
    const invited = await neighbour.call('POST', `${url}/invitations`, { email: freshEmail() });
    expect(invited.statusCode).toBe(201);
    await remove();
    expect((await neighbour.call('GET', url)).json<Organization>().deletingSince).toBeNull();
    expect((await neighbour.call('GET', `${url}/invitations`)).json()).toMatchObject({ total: 1 });
  });

  it('starts once for two concurrent requests, and refuses writes afterwards', async () => {
    const second = await team.join('owner');
    const answers = await Promise.all([remove(), remove({}, second)]);
    const statuses = answers.map((answer) => answer.statusCode);
    expect(statuses.filter((status) => status === 202)).toHaveLength(1);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    const jobs = await team.inside((trx) => trx.selectFrom('job').select('kind').execute());
    expect(jobs).toEqual([{ kind: 'organization.delete' }]);
    const asker = statuses[0] === 202 ? owner : second;
    const refused = await asker.call('PUT', url, { name: 'Again' });
    expect([refused.statusCode, refused.json<ErrorReply>().message]).toEqual([
      409,
      'The organization is being deleted.',
    ]);
  });
});
