import { insertJob, withOrganization } from '@riskboard/db';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, signUp, visitor } from '../testing/person.ts';
import { bundle } from '../testing/report.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

const metricsToken = 'the-token-of-the-metrics-in-this-test';
let api: TestApi;
let ada: Person;
beforeAll(async () => {
  api = await startApi({ metricsToken, dataFolder: import.meta.dirname });
  ada = await signUp(api);
});
afterAll(() => api.close());

const scrape = (authorization = `Bearer ${metricsToken}`) =>
  api.app.inject({ method: 'GET', url: '/metrics', headers: { authorization } });

/** Values by series, as in Prometheus, Exposition formats; throws for a line that is not one of the format. */
async function figures(): Promise<Map<string, number>> {
  const answer = await scrape();
  expect(answer.statusCode).toBe(200);
  const values = new Map<string, number>();
  for (const line of answer.body.trimEnd().split('\n')) {
    if (line === '' || /^# (?:HELP|TYPE) [a-z_:][\w:]* .+$/u.test(line)) continue;
    const match = /^([a-z_:][\w:]*(?:\{(?:[a-z_]\w*="(?:[^"\\]|\\.)*",?)+\})?) (\S+)$/u.exec(line);
    if (!match) throw new Error(`not the text format: ${line}`);
    values.set(match[1] ?? '', Number(match[2]));
  }
  return values;
}

describe('GET /metrics', () => {
  it('is Prometheus text with the type of the format, uncached', async () => {
    const { headers } = await scrape();
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    expect((await figures()).get('process_start_time_seconds')).toBeGreaterThan(0);
  });

  it.each(['', 'Bearer', 'Bearer wrong', `Basic ${metricsToken}`, `Bearer ${metricsToken}x`, metricsToken])(
    'is 401 without figures for %j',
    async (authorization) => {
      const answer = await scrape(authorization);
      expect(answer.statusCode).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(answer.body).not.toContain('riskboard_');
    },
  );

  it('is 404 with any token, and for a session, unless METRICS_TOKEN is set', async () => {
    const without = await startApi({}, { with: api });
    for (const authorization of ['', 'Bearer undefined', 'Bearer ', `Bearer ${metricsToken}`]) {
      const answer = await without.app.inject({ method: 'GET', url: '/metrics', headers: { authorization } });
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ code: 'not_found' });
    }
    await without.close();
  });

  it('counts requests by route and status, with no id, address or query of a request', async () => {
    const before = await figures();
    const list = 'riskboard_http_requests_total{method="GET",route="/api/jobs",status="200"}';
    for (let n = 0; n < 3; n += 1) await ada.get('/api/jobs?search=secret');
    await ada.get('/api/jobs/019a0000-0000-7000-8000-00000000beef');
    await visitor(api).get('/nothing/at-this-address');
    const after = await figures();
    expect((after.get(list) ?? 0) - (before.get(list) ?? 0)).toBe(3);
    expect(after.get('riskboard_http_requests_total{method="GET",route="/api/jobs/:id",status="404"}')).toBe(
      1,
    );
    expect(after.get('riskboard_http_requests_total{method="GET",route="unknown",status="404"}')).toBe(1);
    expect(after.get('riskboard_http_request_duration_seconds_count{method="GET",route="/api/jobs"}')).toBe(
      3,
    );
    const text = [...after.keys()].join('\n');
    for (const trace of ['secret', 'beef', 'at-this-address', metricsToken, ada.user.email])
      expect(text).not.toContain(trace);
  });

  it('does not count the time for which a call waits for its job, as with Prefer: wait', async () => {
    const url = '/api/overview/recompute';
    const other = await signUp(api);
    const began = performance.now();
    // No worker runs the job, so the call waits for the whole second.
    const answer = await other.call({ method: 'POST', url, headers: { prefer: 'wait=1' } });
    expect(answer.statusCode).toBe(202);
    const seconds = (performance.now() - began) / 1000;
    const sum = (await figures()).get(
      `riskboard_http_request_duration_seconds_sum{method="POST",route="${url}"}`,
    );
    // The last pause before the end of a wait may be left out.
    expect(seconds - (sum ?? seconds)).toBeGreaterThan(0.5);
  });

  it('shows queued jobs and the oldest by kind and by organization, and the parts, pools and disk', async () => {
    await ada.upload({ name: 'queued.json', content: bundle() });
    const other = await startApi({ metricsToken, dataFolder: import.meta.dirname }, { with: api });
    await withOrganization(api.database, ada.user.organizationId, (trx) =>
      insertJob(trx, { kind: 'metrics.recompute', payload: {}, organizationId: ada.user.organizationId }),
    );
    const answer = await other.app.inject({
      method: 'GET',
      url: '/metrics',
      headers: { authorization: `Bearer ${metricsToken}` },
    });
    await other.close();
    const value = (series: string) =>
      Number(
        answer.body
          .split('\n')
          .find((line) => line.startsWith(`${series} `))
          ?.slice(series.length),
      );
    expect(value('riskboard_jobs{kind="stix.parse",state="queued"}')).toBe(1);
    expect(value('riskboard_jobs{kind="stix.extract",state="queued"}')).toBe(0);
    expect(value('riskboard_jobs_oldest_seconds{kind="stix.parse",state="queued"}')).toBeGreaterThan(0);
    expect(
      value(`riskboard_organization_jobs_queued{organization="${ada.user.organizationId}"}`),
    ).toBeGreaterThanOrEqual(2);
    expect(value('riskboard_part_up{part="database"}')).toBe(1);
    expect(value('riskboard_database_connections{pool="app",state="waiting"}')).toBe(0);
    expect(value('riskboard_disk_bytes{what="free"}')).toBeGreaterThan(0);
    expect(value('riskboard_database_size_bytes')).toBeGreaterThan(1_000_000);
    expect(value('riskboard_sockets_open')).toBe(0);
  });
});
