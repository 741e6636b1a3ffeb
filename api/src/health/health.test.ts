import type { ErrorReply } from '@riskboard/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { visitor } from '../testing/person.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  vi.useFakeTimers({ toFake: ['performance'] });
});
beforeEach(() => {
  Object.assign(api.producer, { down: false, alive: 1 });
});
afterAll(() => {
  vi.useRealTimers();
  return api.close();
});

const asOwner = (text: string) =>
  api.database.system.transaction().execute(async (trx) => {
    await sql`set local role none`.execute(trx);
    await sql.raw(text).execute(trx);
  });
/** A check that no earlier call shares. */
const ready = () => {
  vi.advanceTimersByTime(1000);
  return visitor(api).get('/api/health/ready');
};

it('liveness does not depend on database, queue or workers', async () => {
  api.producer.down = true;
  expect((await visitor(api).get('/api/health/live')).json()).toEqual({ live: true });
});

it('readiness is 200 when database, queue and a worker answer', async () => {
  const parts = ['database', 'queue', 'disk', 'worker'].map((name) => ({ name, ok: true }));
  expect((await ready()).json()).toEqual({ ready: true, parts });
});

it('readiness names a database whose privileges are missing, although it answers', async () => {
  await asOwner('revoke select on job from riskboard_app');
  try {
    const { details } = (await ready()).json<ErrorReply>();
    expect(details).toEqual([
      { path: 'database', message: 'not prepared (permission denied for table job): run the migration' },
    ]);
  } finally {
    await asOwner('grant select on job to riskboard_app');
  }
  expect((await ready()).statusCode).toBe(200);
});

it('readiness is 503 while the schema is older than the process, and 200 after the migration', async () => {
  const [last] = (
    await sql<{
      name: string;
      timestamp: string;
    }>`select * from kysely_migration order by name desc limit 1`.execute(api.database.system)
  ).rows;
  await asOwner(`delete from kysely_migration where name = '${last?.name}'`);
  try {
    const answer = await ready();
    expect(answer.statusCode).toBe(503);
    expect(answer.json<ErrorReply>().details).toEqual([
      {
        path: 'database',
        message: `the schema is older than this program (missing: ${last?.name}): run the migration`,
      },
    ]);
  } finally {
    await asOwner(`insert into kysely_migration values ('${last?.name}', '${last?.timestamp}')`);
  }
  expect((await ready()).statusCode).toBe(200);
});

it('readiness stays 200 and warns while the schema is newer than the process', async () => {
  await asOwner(`insert into kysely_migration values ('9999-future', '2026-01-01T00:00:00Z')`);
  try {
    const answer = await ready();
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      warnings: [
        {
          name: 'database',
          reason:
            'the schema is newer than this program (9999-future): restart it with the version that migrated',
        },
      ],
    });
  } finally {
    await asOwner(`delete from kysely_migration where name = '9999-future'`);
  }
});

it('readiness stays 200 after a failed backup and warns without its message', async () => {
  await asOwner(
    `insert into backup_status (succeeded_at, failed_at, failure) values ('2026-01-01', '2026-01-02', '/secret/path')`,
  );
  const answer = await ready();
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toMatchObject({
    ready: true,
    warnings: [
      {
        name: 'backup',
        reason: 'the last backup failed at 2026-01-02T00:00:00.000Z; the log has the reason',
      },
    ],
  });
  await asOwner('delete from backup_status');
});

it('readiness names a missing worker', async () => {
  api.producer.alive = 0;
  const answer = await ready();
  expect(answer.statusCode).toBe(503);
  expect(answer.headers['retry-after']).toBe('2');
  expect(answer.json<ErrorReply>().details).toEqual([{ path: 'worker', message: 'none is running' }]);
});

it('readiness names a failing queue', async () => {
  api.producer.down = true;
  const { message, details } = (await ready()).json<ErrorReply>();
  expect(message).toBe('Not ready. queue: not reachable; worker: not reachable.');
  expect(details?.map((part) => part.path)).toEqual(['queue', 'worker']);
});

it('readiness names a queue that answers but stores nothing', async () => {
  const full = await startApi({}, { with: api });
  full.producer.port.ping = () =>
    Promise.reject(new Error("OOM command not allowed when used memory > 'maxmemory'."));
  const answer = await visitor(full).get('/api/health/ready');
  expect(answer.json<ErrorReply>().details).toEqual([{ path: 'queue', message: 'refuses writes' }]);
  await full.close();
});

it('readiness names a part that does not answer in time', async () => {
  const silent = await startApi({}, { with: api });
  silent.producer.port.ping = () => new Promise(() => undefined);
  const answer = await visitor(silent).get('/api/health/ready');
  expect(answer.json<ErrorReply>().details).toEqual([{ path: 'queue', message: 'no answer in time' }]);
  await silent.close();
});

it('calls of a second share one check', async () => {
  expect((await ready()).statusCode).toBe(200);
  const anyone = () => visitor(api).get('/api/health/ready');
  api.producer.down = true;
  vi.advanceTimersByTime(999);
  expect((await anyone()).statusCode).toBe(200);
  vi.advanceTimersByTime(1);
  expect((await anyone()).statusCode).toBe(503);
});
