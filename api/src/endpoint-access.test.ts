import type { ServedEndpoint, ErrorReply } from '@riskboard/contract';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callers, type Decision } from './testing/endpoints/callers.ts';
import { allEndpoints, documentedPath, isWrite, pathOf, requestOf } from './testing/endpoints/endpoints.ts';
import { matrix } from './testing/endpoints/matrix.ts';
import { bySession, type Credentials, makeMember, makeOrganization } from './testing/accounts/member.ts';
import { freshAddress } from './testing/person.ts';
import { strangeId } from './testing/report.ts';
import { startApi, type TestApi } from './testing/start-api.ts';

let api: TestApi;
let owner: Credentials;
beforeAll(async () => {
  api = await startApi();
  owner = await bySession(api, await makeMember(api, await makeOrganization(api), 'owner'));
});

const decisions = new Map<string, Decision>();
const cell = (endpoint: string, caller: string): string => `${endpoint} by ${caller}`;

/** Errors that only the access check returns; a handler may return any of the others. */
const refusals = new Set<string>([
  'foreign_origin',
  'role_too_low',
  'second_factor_required',
  'session_needed',
]);

/**
 * The decision of the access check. A public endpoint may still require a session in its handler, as the refresh does.
 */
function decisionOf({ access }: ServedEndpoint, answer: LightMyRequestResponse): Decision {
  if (answer.statusCode < 400) return 'in';
  const { code, message } = answer.json<ErrorReply & { code: Decision }>();
  const unknown = access !== 'public' && answer.statusCode === 401;
  const deleting = code === 'conflict' && message === 'The organization is being deleted.';
  return refusals.has(code) || unknown || deleting ? code : 'in';
}

/** By caller, for calls that change nothing: reads, and calls that the access check refuses. */
const shared = new Map<string, Promise<Credentials>>();

function credentialsFor(endpoint: ServedEndpoint, caller: Caller): Promise<Credentials> {
  if (isWrite(endpoint) && caller.expected(endpoint) === 'in') return caller.credentials(api);
  const made = shared.get(caller.name) ?? caller.credentials(api);
  shared.set(caller.name, made);
  return made;
}

async function walk(endpoint: ServedEndpoint, caller: Caller): Promise<Decision> {
  const answer = await api.app.inject({
    ...requestOf(endpoint, strangeId()),
    ...(await credentialsFor(endpoint, caller)),
  });
  expect(answer.statusCode).toBeLessThan(500);
  return decisionOf(endpoint, answer);
}

describe.each(callers)('access of the caller "$name"', (caller) => {
  it.each(allEndpoints)('to %s is as the endpoint table says', async (name, endpoint) => {
    const decision = await walk(endpoint, caller);
    decisions.set(cell(name, caller.name), decision);
    expect(decision).toBe(caller.expected(endpoint));
  });
});

/** As the owner, from an address that no rate limit has counted. */
const send = (options: InjectOptions) =>
  api.app.inject({ ...options, ...owner, remoteAddress: freshAddress() });

describe('the endpoint table', () => {
  it('is tested for every endpoint and caller, and every kind of decision occurs', () => {
    expect(allEndpoints.length).toBeGreaterThanOrEqual(64);
    expect(decisions.size).toBe(allEndpoints.length * callers.length);
    expect(new Set(decisions.values())).toEqual(new Set(['in', 'not_signed_in', 'conflict', ...refusals]));
    const guarded = allEndpoints.filter(([, { access }]) => access !== 'public');
    expect(guarded.length).toBeGreaterThanOrEqual(55);
  });

  it('has exactly the endpoints of the OpenAPI document', () => {
    const documented = Object.entries(api.app.swagger().paths ?? {}).flatMap(([path, methods]) =>
      Object.keys(methods ?? {}).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const declared = allEndpoints.map(([, endpoint]) => `${endpoint.method} ${documentedPath(endpoint)}`);
    expect(documented.toSorted()).toEqual(declared.toSorted());
  });

  it.each(allEndpoints.filter(([, endpoint]) => isWrite(endpoint) && !endpoint.readOnly))(
    '%s writes and therefore does not admit viewers',
    (_name, { access }) => {
      expect(access).not.toBe('viewer');
    },
  );

  it.each(allEndpoints.filter(([, { params }]) => params))(
    '%s with a malformed id is 404',
    async (_name, endpoint) => {
      for (const id of ['x', '..', '%00', '1'.repeat(150), "'; drop table job; --"]) {
        const { url: _url, ...request } = requestOf(endpoint, strangeId());
        const url = pathOf(endpoint, id === '%00' ? id : encodeURIComponent(id));
        expect((await send({ ...request, url })).statusCode).toBe(404);
      }
    },
  );

  it.each(allEndpoints)('%s answers other methods with 404', async (_name, endpoint) => {
    for (const method of ['PATCH', 'TRACE', 'OPTIONS'] as const) {
      const answer = await send({ method, url: pathOf(endpoint, strangeId()) });
      expect([404, 405]).toContain(answer.statusCode);
    }
  });
});

afterAll(async () => {
  await api.close();
  const names = callers.map(({ name }) => name);
  const rows = allEndpoints.map(([name, { method, path, access, sessionOnly }]) => ({
    name: `${method} ${path}`,
    access: sessionOnly ? `${access}, session` : access,
    cells: names.map((caller) => decisions.get(cell(name, caller)) ?? 'missing'),
  }));
  process.stdout.write(`\n${matrix(names, rows)}\n`);
});
