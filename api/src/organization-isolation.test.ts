import type { ServedEndpoint, Facets } from '@riskboard/contract';
import { newId, withOrganization } from '@riskboard/db';
import { withAdmin } from '@riskboard/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asWorker } from './testing/fakes/as-worker.ts';
import { uploadCsv } from './testing/import-csv.ts';
import { put } from './testing/make-records.ts';
import { rowMaker } from './testing/records.ts';
import { allEndpoints, requestOf } from './testing/endpoints/endpoints.ts';
import {
  bySession,
  type Credentials,
  makeMember,
  makeOrganization,
  insertToken,
} from './testing/accounts/member.ts';
import { type Answer, freshAddress, password, type Person, signUp } from './testing/person.ts';
import { bundle, strangeId } from './testing/report.ts';
import { sample } from './testing/endpoints/sample.ts';
import { calculateScore } from './testing/scores.ts';
import { startApi, type TestApi } from './testing/start-api.ts';
import { makeVignette } from './testing/vignettes.ts';

/** Endpoints that take an identifier in path, query or body. */
const referring = allEndpoints.filter(([, { access, params, query, body }]) =>
  [params, query, body].some(
    (schema) => access !== 'public' && schema && JSON.stringify(sample(schema, 'an-id')).includes('an-id'),
  ),
);

let api: TestApi;
let owner: Credentials;
let stranger: Person;
/** Every identifier of the other organisation, by table. */
let theirs: [string, string][];

beforeAll(async () => {
  api = await startApi();
  stranger = await signUp(api);
  await fill(stranger);
  theirs = await identifiers(stranger.user.organizationId);
});
afterAll(() => api.close());

/** A file read and extracted, another member, an invitation and a token. */
async function fill(person: Person): Promise<void> {
  const file = await person.upload({ name: 'theirs.json', content: bundle() });
  const worker = asWorker(api, person);
  const { _id } = file.json<{ _id: string }>();
  await worker.read(_id, { records: [{ key: 'CVE-1' }, { key: 'T-1', kind: 'threat' }] });
  await worker.extract(_id);
  const { organizationId } = person.user;
  const { asset, make } = rowMaker(api, person);
  await asset('Theirs');
  const [binned = ''] = await make('threat', [{ name: 'Binned' }]);
  await person.delete(`/api/threats/${binned}`);
  await person.post('/api/views', { list: '/dashboard/threats', name: 'Theirs', search: {} });
  const id = (await make('vulnerability', [{ name: 'Scored', cwe: ['CWE-79'] }]))[0] ?? '';
  await calculateScore(api, person, { id, vignetteId: await makeVignette(api, person) });
  await put(person, `/api/vulnerabilities/${id}/cwss/factors`, { AP: { value: 'A', reason: 'Root.' } });
  await uploadCsv(person, 'Name,Description\nDoor,A door');
  await insertToken(api, await makeMember(api, organizationId, 'analyst'), { role: 'viewer' });
  await fillAlerts(person);
  await person.post('/api/organization/invitations', { email: 'invited@example.org', role: 'viewer' });
}

/** A webhook, a rule that uses it, and a delivery with an alert. */
async function fillAlerts(person: Person): Promise<void> {
  const webhook = await person.post('/api/alerts/webhooks', {
    name: 'Chat',
    url: 'https://chat.example.org',
  });
  const { _id } = webhook.json<{ _id: string }>();
  const kind = 'critical-vulnerability';
  await person.post('/api/alerts/rules', {
    name: 'Critical',
    kind,
    mailTo: [person.user._id],
    webhookIds: [_id],
  });
  await person.post(`/api/alerts/webhooks/${_id}/test`, {});
  await withOrganization(api.database, person.user.organizationId, (trx) =>
    sql`insert into alert (organization_id, id, kind, severity, title, description, count, link)
      values (current_organization(), ${newId()}, 'asset-at-risk', 'high', 'Door', '', 1, '/dashboard')`.execute(
      trx,
    ),
  );
}

/** All ids in the tables of the organisation. Reads the system catalogue, so that a new table is included. */
async function identifiers(organizationId: string): Promise<[string, string][]> {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and udt_name = 'uuid'
      and column_name in ('id', 'account_id', 'organization_id')
      and table_name in (select tablename from pg_policies where policyname = 'organization')`.execute(
    api.database.app,
  );
  return withOrganization(api.database, organizationId, async (trx) => {
    const found: [string, string][] = [];
    for (const { table, column } of columns) {
      const { rows } = await sql<{ id: string }>`
        select distinct ${sql.ref(column)} as id from ${sql.table(table)} where ${sql.ref(column)} is not null limit 2`.execute(
        trx,
      );
      found.push(...rows.map(({ id }): [string, string] => [table, id]));
    }
    return found;
  });
}

/** The calls of one owner are limited. */
async function renewOwner(): Promise<void> {
  owner = await bySession(api, await makeMember(api, await makeOrganization(api), 'owner'));
}

/** As an owner of another organisation, with the correct password where one is required. */
function call(endpoint: ServedEndpoint, id: string): Promise<Answer> {
  const request = requestOf(endpoint, id);
  const body = request.body as object | undefined;
  const sent = body && 'password' in body ? { ...request, body: { ...body, password } } : request;
  return api.app.inject({ ...sent, ...owner, remoteAddress: freshAddress() });
}

/** Fields of a new record that refer to other rows. */
const references = new Set([
  'relatedAssets',
  'change.addAssets',
  'change.addThreats',
  'change.addVulnerabilities',
  'projectId',
  'change.projectId',
  'mailTo',
  'webhookIds',
]);

interface Found {
  total?: number;
  deletedCount?: number;
  restoredCount?: number;
  updatedCount?: number;
  views?: unknown[];
  facets?: Facets['facets'];
  details?: { path: string }[];
}

/**
 * The accepted replies: not found, an empty list or bulk result, a CSV with only its heading, or a refused reference.
 */
function foundNothing(answer: Answer): boolean {
  if (answer.statusCode === 404) return true;
  if (String(answer.headers['content-type']).startsWith('text/csv'))
    return answer.body.trim().split('\n').length === 1;
  const { total, deletedCount, restoredCount, updatedCount, views, facets, details } = answer.json<Found>();
  if (answer.statusCode === 422) return references.has(details?.[0]?.path ?? '');
  const values = Object.values(facets ?? {}).flatMap((facet) => facet.values);
  if (facets) return values.length === 0;
  return [total, deletedCount, restoredCount, updatedCount, views?.length].includes(0);
}

const withoutRequestId = (answer: Answer, id: string): string =>
  answer.body.replaceAll(/"requestId":"[^"]+"/gu, '').replaceAll(id, 'the id');

/**
 * The hash of every row of the organisation, to detect any change. Sessions are left out, because they record their
 * use. Read by a superuser, because the app cannot read the hashes of secrets.
 */
async function everythingOf(organizationId: string): Promise<string> {
  const tables = [...new Set(theirs.map(([table]) => table))].filter((table) => table !== 'session');
  return withAdmin(api.clone.adminUrl, async (admin) => {
    const parts: string[] = [];
    for (const table of tables) {
      const { rows } = await admin.query<{ hash: string }>(
        `select count(*) || ' ' || md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as hash
         from ${admin.escapeIdentifier(table)} t where organization_id = $1`,
        [organizationId],
      );
      parts.push(`${table} ${rows[0]?.hash}`);
    }
    return parts.join('\n');
  });
}

describe(`another organisation's identifiers, in ${referring.length} endpoints`, () => {
  it('cover every kind of record', () => {
    expect(referring.length).toBeGreaterThanOrEqual(27);
    expect([...new Set(theirs.map(([table]) => table))].toSorted()).toEqual(
      expect.arrayContaining([
        'activity',
        'alert',
        'alert_rule',
        'api_token',
        'asset',
        'csv_import',
        'cwss_override',
        'cwss_score',
        'deleted_record',
        'invitation',
        'job',
        'membership',
        'organization',
        'project',
        'report_file',
        'saved_view',
        'session',
        'threat',
        'vignette',
        'vulnerability',
        'webhook',
        'webhook_delivery',
      ]),
    );
  });

  it.each(referring)('%s answers as to unknown ids and changes nothing', async (_name, endpoint) => {
    await renewOwner();
    const before = await everythingOf(stranger.user.organizationId);
    const unknown = strangeId();
    const expected = await call(endpoint, unknown);
    expect(foundNothing(expected)).toBe(true);
    for (const [id, table] of new Map(theirs.map(([table, id]) => [id, table]))) {
      if (endpoint.perMinute !== undefined) await renewOwner();
      const answer = await call(endpoint, id);
      expect([table, answer.statusCode]).toEqual([table, expected.statusCode]);
      expect([table, withoutRequestId(answer, id)]).toEqual([table, withoutRequestId(expected, unknown)]);
    }
    expect(await everythingOf(stranger.user.organizationId)).toBe(before);
  });
});
