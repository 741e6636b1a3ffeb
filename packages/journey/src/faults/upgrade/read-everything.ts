import { allEndpoints } from '@riskboard/api/testing/endpoints/endpoints';
import { visitor } from '@riskboard/api/testing/person';
import type { TestApi } from '@riskboard/api/testing/start-api';
import type { Client } from 'pg';
import { owner } from './fill-product.ts';

/** Ids for the parameter of the path, by endpoint or by noun. */
const ids: Readonly<Record<string, string>> = {
  assets: 'select id from asset',
  batches: 'select id from batch',
  cwe: 'select 79 as id',
  'cwss.explanation': 'select v.id from cwss_score s join vulnerability v on v.id = s.vulnerability_id',
  'cwss.preview': 'select id from vulnerability where exists (select from vignette)',
  imports: 'select id from csv_import',
  jobs: 'select id from job',
  'overview.explain': `select 'openVulnerabilities' as id`,
  projects: 'select id from project',
  reports: 'select id from report_file where by_type is not null',
  threats: 'select id from threat',
  vignettes: 'select id from vignette',
  vulnerabilities: 'select id from vulnerability',
  webhookDeliveries: 'select id from webhook_delivery',
};

/** Queries of endpoints that require one. */
const queries: Readonly<Record<string, string>> = {
  'batches.estimate': '?files=1&bytes=1',
  'cwss.preview': `?vignetteId=:vignette`,
  'imports.template': '?noun=assets',
  'overview.changes': '?from=2026-11-22&to=2026-11-23',
  'riskReport.table': '?table=numbers',
  'search.everywhere': '?q=deleted',
  'views.list': '?list=/dashboard/threats',
};

export interface Refusal {
  endpoint: string;
  url: string;
  status: number;
  reply: string;
}

/** Logs in as the owner of the fixture and reads every list and every record. @returns what was not answered with 200 */
export async function readEverything(
  api: TestApi,
  admin: Client,
): Promise<{ read: number; refused: Refusal[] }> {
  const person = visitor(api);
  const login = await person.post('/api/auth/login', owner);
  if (login.statusCode !== 200) throw new Error(`login answered ${login.statusCode}: ${login.body}`);
  const refused: Refusal[] = [];
  let read = 0;
  for (const [endpoint, { method, path }] of allEndpoints) {
    if (method !== 'GET') continue;
    for (const url of await urlsOf(admin, endpoint, path)) {
      const answer = await person.get(url);
      read += 1;
      if (answer.statusCode !== 200)
        refused.push({ endpoint, url, status: answer.statusCode, reply: answer.body.slice(0, 300) });
    }
  }
  return { read, refused };
}

async function urlsOf(admin: Client, endpoint: string, path: string): Promise<string[]> {
  const url = path + (queries[endpoint] ?? '');
  if (!url.includes(':')) return [url];
  const found = ids[endpoint] ?? ids[endpoint.split('.')[0] ?? ''];
  if (found === undefined) throw new Error(`read-everything.ts needs ids for ${endpoint}`);
  const { rows } = await admin.query<{ id: string | number }>(`${found} limit 1`);
  const vignette = await admin.query<{ id: string }>('select id from vignette limit 1');
  return rows.map(({ id }) =>
    url
      .replace(/:(?:id|metric)\b/u, String(id))
      .replace(':vignette', vignette.rows[0]?.id ?? '')
      .replaceAll(/:\w+/gu, '1'),
  );
}
