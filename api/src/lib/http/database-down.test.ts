import { withOrganization } from '@riskboard/db';
import { startProxy, type TcpProxy } from '@riskboard/testing';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Answer, type Person, signUp } from '../../testing/person.ts';
import { bundle } from '../../testing/report.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';

let direct: TestApi;
let api: TestApi;
let proxy: TcpProxy;
let ada: Person;
beforeAll(async () => {
  direct = await startApi();
  proxy = await startProxy(direct.clone.url);
  api = await startApi({}, { with: direct, databaseUrl: (url) => proxy.through(url), systemTimeoutMs: 1000 });
  ada = await signUp(api);
});
afterEach(() => proxy.restore());
afterAll(async () => {
  await api.close();
  await proxy.close();
  await direct.close();
});

function expectUnavailable(answer: Answer): void {
  expect(answer.statusCode).toBe(503);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  expect(answer.json()).toMatchObject({ code: 'unavailable' });
}

const works = () =>
  vi.waitFor(async () => expect((await ada.get('/api/jobs')).statusCode).toBe(200), { interval: 100 });

describe('while the database', () => {
  it('is down, every call is 503 immediately, and calls work when it is back', async () => {
    await works();
    await proxy.cut();
    const before = performance.now();
    const answers = await Promise.all([
      ada.get('/api/jobs'),
      ada.get('/api/reports/files'),
      ada.post('/api/auth/login', { email: ada.user.email, password: 'a long password' }),
      ada.upload({ name: 'a.json', content: bundle() }),
    ]);
    for (const answer of answers) expectUnavailable(answer);
    expect(performance.now() - before).toBeLessThan(3000);
    await proxy.restore();
    await works();
  });

  it(
    'keeps a row locked, a call that needs the row is 503 after the lock timeout',
    { timeout: 20_000 },
    async () => {
      const { jobId } = (await ada.upload({ name: 'locked.json', content: bundle() })).json<{
        jobId: string;
      }>();
      await withOrganization(direct.database, ada.user.organizationId, async (trx) => {
        await sql`select from job where id = ${jobId} for update`.execute(trx);
        expectUnavailable(await ada.post(`/api/jobs/${jobId}/cancel`));
      });
      expect((await ada.post(`/api/jobs/${jobId}/cancel`)).statusCode).toBe(200);
    },
  );

  it('does not respond, a call is 503 within seconds', async () => {
    await works();
    proxy.freeze();
    const before = performance.now();
    expectUnavailable(await ada.get('/api/jobs'));
    expect(performance.now() - before).toBeLessThan(5000);
    await proxy.restore();
    await works();
  });

  it('ends a connection during a transaction, the process continues', async () => {
    await works();
    const cut = withOrganization(api.database, ada.user.organizationId, async (trx) => {
      await sql`select 1`.execute(trx);
      await proxy.cut();
      // No statement is running when the connection breaks.
      await new Promise((resolve) => setTimeout(resolve, 100));
      await sql`select 2`.execute(trx);
    });
    await expect(cut).rejects.toThrow(/Connection terminated|not queryable/u);
    await proxy.restore();
    await works();
  });

  it('drops idle connections, all of them are replaced after one timeout', async () => {
    await Promise.all(Array.from({ length: 8 }, () => works()));
    proxy.dropSilently();
    const answers = await Promise.all(Array.from({ length: 4 }, () => ada.get('/api/jobs')));
    for (const answer of answers) {
      expectUnavailable(answer);
      const message = 'The database is not reachable right now. Try again in a moment.';
      expect(answer.json()).toMatchObject({ message });
    }
    const before = performance.now();
    await works();
    // Once for each pool, not once for each of their twelve connections.
    expect(performance.now() - before).toBeLessThan(6000);
  });

  it('is down, readiness names it and liveness is 200', async () => {
    await proxy.cut();
    const answer = await ada.get('/api/health/ready');
    expectUnavailable(answer);
    expect(answer.json()).toMatchObject({ details: [{ path: 'database', message: 'not reachable' }] });
    expect((await ada.get('/api/health/live')).statusCode).toBe(200);
  });
});
