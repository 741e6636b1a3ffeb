import { ErrorReply } from '@riskboard/contract/schemas';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bySession, makeMember, makeOrganization } from './testing/accounts/member.ts';
import { type BadRequest, badRequests } from './testing/endpoints/bad-requests.ts';
import { allEndpoints } from './testing/endpoints/endpoints.ts';
import { freshAddress } from './testing/person.ts';
import { strangeId } from './testing/report.ts';
import { startApi, type TestApi } from './testing/start-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** A new owner for each endpoint: a call that succeeds may end the session. */
async function ownerCalls(): Promise<(request: InjectOptions) => Promise<LightMyRequestResponse>> {
  const owner = await bySession(api, await makeMember(api, await makeOrganization(api), 'owner'));
  return (request) =>
    api.app.inject({
      ...request,
      headers: { ...owner.headers, ...request.headers },
      remoteAddress: freshAddress(),
    });
}

/** What is wrong with the answer to a bad request; undefined when nothing is. */
function problemOf(answer: LightMyRequestResponse, { refusedAt }: BadRequest): string | undefined {
  const { statusCode } = answer;
  if (statusCode >= 500 || (refusedAt !== null && statusCode !== 422)) return `${statusCode}`;
  if (statusCode < 400) return undefined;
  const reply = ErrorReply.safeParse(answer.json());
  if (!reply.success) return 'not an error of the contract';
  if (statusCode !== 422) return undefined;
  const paths = reply.data.details?.map(({ path }) => path) ?? [];
  if (paths.length === 0) return '422 without details';
  const missing = refusedAt?.filter((path) => !paths.includes(path)) ?? [];
  return missing.length === 0 ? undefined : `422 without ${missing.join(', ')}`;
}

const endpoints = allEndpoints.filter(([, { query, body }]) => query ?? body);

describe('a bad request', () => {
  it.each(endpoints)(
    'to %s causes no server error, and every 422 names the fields',
    async (_name, endpoint) => {
      let call = await ownerCalls();
      const problems: string[] = [];
      for (const bad of badRequests(endpoint, strangeId())) {
        let answer = await call(bad.request);
        if (answer.statusCode === 429) {
          call = await ownerCalls();
          answer = await call(bad.request);
        }
        const problem = problemOf(answer, bad);
        if (problem !== undefined) problems.push(`${problem}: ${JSON.stringify(bad.request).slice(0, 300)}`);
      }
      expect(problems).toEqual([]);
    },
  );

  it('is sent to most endpoints', () => {
    expect(endpoints.length).toBeGreaterThanOrEqual(70);
    const requests = endpoints.flatMap(([, endpoint]) => badRequests(endpoint, strangeId()));
    expect(requests.length).toBeGreaterThan(500);
  });
});

describe('a form', () => {
  const uploads = allEndpoints.filter(([, { multipart }]) => multipart);

  it.each(uploads)('to %s whose file has no field name is refused', async (_name, endpoint) => {
    const call = await ownerCalls();
    const { method, path } = endpoint;
    const answer = await call({
      method,
      url: path === '/api/imports' ? `${path}?noun=assets` : path,
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      payload: '--x\r\nContent-Disposition: form-data; filename="a.json"\r\n\r\n{}\r\n--x--\r\n',
    });
    const { message } = answer.json<ErrorReply>();
    expect([answer.statusCode, message]).toEqual([
      422,
      `Send the file in the field ${endpoint.multipart?.field}, not a part without a name.`,
    ]);
  });

  it('is sent to every upload', () => expect(uploads).toHaveLength(4));
});
