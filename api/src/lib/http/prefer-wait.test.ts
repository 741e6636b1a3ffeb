import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { createFairSlots, type Database, runInRequest, SlotsFull, withOrganization } from '@riskboard/db';
import type { FastifyRequest } from 'fastify';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { signUp } from '../../testing/person.ts';
import { bundle } from '../../testing/report.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';
import { preferredWait, waitForJob } from './prefer-wait.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterEach(() => void vi.restoreAllMocks());
afterAll(() => api.close());

it.each([
  ['wait=5', 5],
  ['wait="5"', 5],
  ['respond-async, wait="7"; x', 7],
  ['wait="5', 0],
  ['wait=30', 30],
  ['wait=9999', 30],
])('Prefer: %s waits %i s', (prefer, seconds) => {
  expect(preferredWait({ headers: { prefer } } as unknown as FastifyRequest)).toBe(seconds);
});

/** A job that no worker runs. */
async function queuedJob(): Promise<{ organizationId: string; id: string }> {
  const ada = await signUp(api);
  const uploaded = await ada.upload({ name: 'a.json', content: bundle('a') });
  return { organizationId: ada.user.organizationId, id: uploaded.json<{ jobId: string }>().jobId };
}

it('a wait ends when the client has gone', async () => {
  const job = await queuedJob();
  const { promise: waited, resolve } = Promise.withResolvers<unknown>();
  const server = createServer((request) => {
    request.resume();
    resolve(waitForJob(api.database, job, { request, seconds: 3600 }));
    client.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = httpRequest({ method: 'POST', port, host: '127.0.0.1' }).on('error', () => undefined);
  client.end('{}');
  expect(await waited).toMatchObject({ id: job.id, state: 'queued' });
  server.close();
});

it('a wait ends also when the clock of the computer is set back meanwhile', async () => {
  const job = await queuedJob();
  const request = { socket: new Socket() };
  const waiting = waitForJob(api.database, job, { request, seconds: 0.1 });
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
  expect(await waiting).toMatchObject({ id: job.id, state: 'queued' });
});

/** The database, some of whose transactions fail. */
function failing(isFailing: (n: number) => boolean, error: Error): Database {
  let count = 0;
  const { app } = api.database;
  const failingApp = Object.create(app) as Database['app'];
  failingApp.transaction = () => {
    count += 1;
    if (isFailing(count)) throw error;
    return app.transaction();
  };
  return { ...api.database, app: failingApp };
}

it.each([
  ['not reachable', Object.assign(new Error('terminating connection'), { code: '57P01' })],
  ['busy with requests of the organization', new SlotsFull('organization')],
])('a wait reads the job again when the database is %s', async (_, error) => {
  const job = await queuedJob();
  const request = { socket: new Socket() };
  const wait = (database: Database) => waitForJob(database, job, { request, seconds: 0.5 });
  expect(await wait(failing((n) => n > 1, error))).toMatchObject({ id: job.id, state: 'queued' });
  expect(await wait(failing(() => true, error))).toBeUndefined();
  await withOrganization(api.database, job.organizationId, (trx) =>
    trx
      .updateTable('job')
      .set({ state: 'cancelled', finished_at: new Date() })
      .where('id', '=', job.id)
      .execute(),
  );
  expect(await wait(failing((n) => n < 3, error))).toMatchObject({ id: job.id, state: 'cancelled' });
});

it('a wait fails with an error that is not temporary', async () => {
  const job = await queuedJob();
  const request = { socket: new Socket() };
  const broken = failing(() => true, new Error('column does not exist'));
  await expect(waitForJob(broken, job, { request, seconds: 5 })).rejects.toThrow('column does not exist');
});

it('a wait reads the job while saves of its organization wait for locks', async () => {
  const job = await queuedJob();
  const request = { socket: new Socket() };
  const slots = createFairSlots({ total: 2, perKey: 2, waiting: 10 });
  const { promise: locked, resolve: unlock } = Promise.withResolvers<void>();
  const save = slots.run(job.organizationId, () => locked, { mayBlock: true });
  const waited = await runInRequest({ id: null, changesData: true }, () =>
    waitForJob({ ...api.database, slots }, job, { request, seconds: 0.05 }),
  );
  expect(waited).toMatchObject({ id: job.id, state: 'queued' });
  unlock();
  await save;
});
