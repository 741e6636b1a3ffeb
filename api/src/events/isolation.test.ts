import { eventTopic } from '@riskboard/contract';
import { OrganizationEvent } from '@riskboard/contract/schemas';
import { insertJob, newId, withOrganization } from '@riskboard/db';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sample } from '../testing/endpoints/sample.ts';
import {
  bySession,
  makeMember,
  makeOrganization,
  type Member,
  insertToken,
  withToken,
} from '../testing/accounts/member.ts';
import { origin, startApi, type TestApi } from '../testing/start-api.ts';
import { listen, refusal, type Stream, streamWith } from '../testing/stream.ts';

/** Every kind of event of the contract, so that new ones are tested too. */
const kinds = OrganizationEvent.options.map(
  (option): [string, (typeof OrganizationEvent.options)[number]] => [option.shape.type.value, option],
);

let api: TestApi;
let url: string;
let mine: Member;
let theirs: Member;
beforeAll(async () => {
  api = await startApi();
  url = await listen(api);
});
beforeEach(async () => {
  mine = await makeMember(api, await makeOrganization(api), 'viewer');
  theirs = await makeMember(api, await makeOrganization(api), 'viewer');
});
afterAll(() => api.close());

async function listenAs(member: Member): Promise<Stream> {
  const { headers } = await bySession(api, member);
  const stream = streamWith(url, headers);
  await stream.opened();
  return stream;
}

const newJob = (member: Member): Promise<string> =>
  withOrganization(api.database, member.organizationId, (trx) =>
    insertJob(trx, {
      organizationId: member.organizationId,
      kind: 'stix.parse',
      payload: { fileId: newId(), contentId: newId() },
    }),
  );

describe('the stream of an organization', () => {
  it.each(kinds)('%s is sent to its own sockets only', async (type, schema) => {
    const [here, there] = await Promise.all([listenAs(mine), listenAs(theirs)]);
    const event = schema.parse(sample(schema, newId()));
    const publish = ({ organizationId }: Member) => api.relay.port.publish(eventTopic(organizationId), event);
    await publish(mine);
    await vi.waitFor(() => expect(here.types()).toEqual(['hello', 'snapshot', type]));
    // Messages arrive in order: a leaked event would come before this one.
    await publish(theirs);
    await vi.waitFor(() => expect(there.types()).toEqual(['hello', 'snapshot', type]));
    expect(here.types()).toHaveLength(3);
    for (const { socket } of [here, there]) socket.terminate();
  });

  it('starts with its own jobs only, for a session and for a token', async () => {
    const [own] = await Promise.all([newJob(mine), newJob(theirs)]);
    const token = await insertToken(api, mine, { role: 'viewer' });
    for (const stream of [await listenAs(mine), streamWith(url, withToken(token).headers)]) {
      await stream.opened();
      expect(stream.messages[1]).toMatchObject({ type: 'snapshot', jobs: [{ _id: own }] });
      stream.socket.terminate();
    }
  });
});

describe('the handshake', () => {
  it.each<[string, number, () => Promise<Record<string, string>>]>([
    ['no caller', 401, async () => ({ origin })],
    ['an unknown token', 401, async () => withToken('rb_none').headers],
    [
      'an expired token',
      401,
      async () =>
        withToken(await insertToken(api, mine, { role: 'owner', expiresAt: new Date(Date.now() - 1000) }))
          .headers,
    ],
    [
      'a foreign page with a session',
      403,
      async () => ({ ...(await bySession(api, mine)).headers, origin: 'https://evil.example' }),
    ],
    [
      'a foreign page with a token',
      403,
      async () => ({
        ...withToken(await insertToken(api, mine, { role: 'viewer' })).headers,
        origin: 'https://evil.example',
      }),
    ],
    [
      'a page of the same site with another origin',
      403,
      async () => {
        const { origin: _own, ...headers } = (await bySession(api, mine)).headers;
        return { ...headers, 'sec-fetch-site': 'same-site' };
      },
    ],
    [
      'a person without the second factor that is required',
      403,
      async () => {
        const organizationId = await makeOrganization(api, { requireSecondFactor: true });
        return (await bySession(api, await makeMember(api, organizationId, 'owner'))).headers;
      },
    ],
  ])('of %s is refused with %i', async (_who, status, headers) => {
    expect(await refusal(url, await headers())).toBe(status);
  });
});
