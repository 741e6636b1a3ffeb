import type { ServedEndpoint, Facets } from '@riskboard/contract';
import { withClient } from '@riskboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allEndpoints, requestOf } from './testing/endpoints/endpoints.ts';
import { bySession, type Credentials, makeMember, makeOrganization } from './testing/accounts/member.ts';
import { type Answer, freshAddress, password, type Person, signUp } from './testing/person.ts';
import { strangeId } from './testing/report.ts';
import { sample } from './testing/endpoints/sample.ts';
import { fillOrganization, identifiersOf } from './testing/filled-organization.ts';
import { startApi, type TestApi } from './testing/start-api.ts';

/** Endpoints whose identifier is that of a new record. Identifiers of another organization are free. */
const creating = new Set(['views.create']);

/** Endpoints that take an identifier in path, query or body. */
const referring = allEndpoints.filter(
  ([name, { access, params, query, body }]) =>
    !creating.has(name) &&
    [params, query, body].some(
      (schema) => access !== 'public' && schema && JSON.stringify(sample(schema, 'an-id')).includes('an-id'),
    ),
);

let api: TestApi;
let owner: Credentials;
let stranger: Person;
/** Every identifier of the other organization, by table. */
let theirs: [string, string][];
/** What the other organization has; no call may change it. */
let unchanged: string;

beforeAll(async () => {
  api = await startApi();
  stranger = await signUp(api);
  await fillOrganization(api, stranger);
  theirs = await identifiersOf(api, stranger.user.organizationId);
  unchanged = await everythingOf(stranger.user.organizationId);
});
afterAll(() => api.close());

/** The calls of one owner are limited. */
async function renewOwner(): Promise<void> {
  owner = await bySession(api, await makeMember(api, await makeOrganization(api), 'owner'));
}

/** As an owner of another organization, with the correct password where one is required. */
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
 * A hash of the versions of every row of the organization (its place and the transaction that wrote it), to detect any
 * change, also one that writes the same values. Sessions are left out, because they record their use. Read by a
 * superuser, whom no policy and no grant restricts.
 */
async function everythingOf(organizationId: string): Promise<string> {
  const tables = [...new Set(theirs.map(([table]) => table))].filter((table) => table !== 'session');
  return withClient(api.clone.adminUrl, async (admin) => {
    const hashes = tables.map(
      (
        table,
      ) => `select '${table}' as name, count(*) || ' ' || md5(coalesce(string_agg(t.ctid || ' ' || t.xmin, ',' order by t.ctid), '')) as hash
        from ${admin.escapeIdentifier(table)} t where organization_id = $1`,
    );
    const { rows } = await admin.query<{ name: string; hash: string }>(
      `${hashes.join('\nunion all\n')}\norder by name`,
      [organizationId],
    );
    return rows.map(({ name, hash }) => `${name} ${hash}`).join('\n');
  });
}

describe(`another organization's identifiers, in ${referring.length} endpoints`, () => {
  it('cover every kind of record', () => {
    expect(referring.length).toBeGreaterThanOrEqual(27);
    expect([...new Set(theirs.map(([table]) => table))].toSorted()).toEqual(
      expect.arrayContaining([
        'activity',
        'alert',
        'alert_rule',
        'api_token',
        'asset',
        'batch',
        'batch_file',
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
    const unknown = strangeId();
    const expected = await call(endpoint, unknown);
    expect(foundNothing(expected)).toBe(true);
    for (const [id, table] of new Map(theirs.map(([table, id]) => [id, table]))) {
      if (endpoint.perMinute !== undefined) await renewOwner();
      const answer = await call(endpoint, id);
      expect([table, answer.statusCode]).toEqual([table, expected.statusCode]);
      expect([table, withoutRequestId(answer, id)]).toEqual([table, withoutRequestId(expected, unknown)]);
    }
    expect(await everythingOf(stranger.user.organizationId)).toBe(unchanged);
  });

  it.each(allEndpoints.filter(([name]) => creating.has(name)))(
    '%s creates a record with each of them and changes nothing of the other organization',
    async (_name, endpoint) => {
      for (const [, id] of theirs) {
        await renewOwner();
        expect((await call(endpoint, id)).statusCode).toBe(201);
      }
      expect(await everythingOf(stranger.user.organizationId)).toBe(unchanged);
    },
  );
});
