import { ErrorReply } from '@riskboard/contract/schemas';
import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bySession, type Credentials, makeMember } from './testing/accounts/member.ts';
import { arbitraryRequest } from './testing/endpoints/arbitrary-request.ts';
import { allEndpoints } from './testing/endpoints/endpoints.ts';
import { fillOrganization, identifiersOf } from './testing/filled-organization.ts';
import { type Answer, freshAddress, type Person, signUp } from './testing/person.ts';
import { strangeId } from './testing/report.ts';
import { startApi, type TestApi } from './testing/start-api.ts';

/** Requests to each endpoint. A long run: FUZZ_RUNS=1000 FUZZ_SEED=$RANDOM. A failure prints the request. */
const runs = Number(process.env['FUZZ_RUNS'] ?? 6);
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_123);

let api: TestApi;
let person: Person;
/** Identifiers of the caller's organization, of another one, and of none. */
let identifiers: string[];
/** Endpoints that accepted a request. */
const accepting = new Set<string>();

beforeAll(async () => {
  api = await startApi();
  const stranger = await signUp(api);
  person = await signUp(api);
  for (const one of [person, stranger]) await fillOrganization(api, one);
  const [own, foreign] = [await idsOf(person), await idsOf(stranger)];
  identifiers = [...own, ...own, ...own, ...foreign, strangeId()];
});
afterAll(() => api.close());

const idsOf = async ({ user }: Person): Promise<string[]> =>
  (await identifiersOf(api, user.organizationId)).map(([, id]) => id);

const newOwner = async (): Promise<Credentials> =>
  bySession(api, await makeMember(api, person.user.organizationId, 'owner'));

/** What is wrong with an answer; undefined when nothing is. */
function problemOf({ statusCode, payload }: Answer): string | undefined {
  if (statusCode >= 500) return `${statusCode} ${payload.slice(0, 200)}`;
  if (statusCode < 400) return undefined;
  const reply = ErrorReply.safeParse(JSON.parse(payload));
  if (!reply.success) return `${statusCode} that is not an error of the contract`;
  return statusCode === 422 && !reply.data.details?.length ? '422 without details' : undefined;
}

describe('random requests that follow the schemas or almost do', () => {
  it.each(allEndpoints)('cause no server error at %s', async (name, endpoint) => {
    let owner = await newOwner();
    const send = (request: InjectOptions): Promise<Answer> =>
      api.app.inject({
        ...request,
        headers: { ...owner.headers, ...request.headers },
        remoteAddress: freshAddress(),
      });
    await fc.assert(
      fc.asyncProperty(arbitraryRequest(endpoint, identifiers), async (request) => {
        let answer = await send(request);
        // The request ended the session or reached a limit.
        if (answer.statusCode === 401 || answer.statusCode === 429) {
          owner = await newOwner();
          answer = await send(request);
        }
        expect(problemOf(answer)).toBeUndefined();
        if (answer.statusCode < 400) accepting.add(name);
      }),
      { numRuns: runs, seed },
    );
  });

  it('are accepted by many endpoints, so that they reach more than the validation', () => {
    expect(accepting.size).toBeGreaterThan(allEndpoints.length / 6);
  });
});
