import { closeCodes, type Role, sessionEndedTopic } from '@riskboard/contract';
import { withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  bySession,
  type Credentials,
  makeMember,
  makeOrganization,
  type Member,
  insertToken,
  withToken,
} from '../testing/accounts/member.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';
import { listen, type Stream, streamWith } from '../testing/stream.ts';

let api: TestApi;
let url: string;
const open: Stream[] = [];
beforeAll(async () => {
  api = await startApi();
  url = await listen(api);
});
afterAll(async () => {
  for (const { socket } of open) socket.terminate();
  await api.close();
});

interface Listening extends Member {
  stream: Stream;
}

const newMember = async (role: Role = 'analyst'): Promise<Member> =>
  makeMember(api, await makeOrganization(api), role);

async function listenAs(member: Member, credentials: Credentials): Promise<Listening> {
  const stream = streamWith(url, credentials.headers);
  open.push(stream);
  await stream.opened();
  return { ...member, stream };
}

async function inBrowser(role?: Role): Promise<Listening> {
  const member = await newMember(role);
  return listenAs(member, await bySession(api, member));
}

async function byToken(): Promise<Listening> {
  const member = await newMember();
  const token = await insertToken(api, member, { role: 'viewer' });
  return listenAs(member, withToken(token));
}

/** Directly in the database, without a relay message. */
const silently = (change: ReturnType<typeof sql>) => change.execute(api.database.system);

const removeMember = ({ organizationId, accountId }: Member) =>
  withOrganization(api.database, organizationId, (trx) =>
    trx.deleteFrom('membership').where('account_id', '=', accountId).execute(),
  );

describe('a socket without a relay message', () => {
  it.concurrent.each<[string, () => Promise<Listening>, (who: Listening) => Promise<unknown>]>([
    [
      'its session ended',
      () => inBrowser(),
      (who) => silently(sql`update session set ended_at = now() where account_id = ${who.accountId}`),
    ],
    [
      'its session is past its seven days',
      () => inBrowser(),
      (who) => silently(sql`update session set expires_at = now() where account_id = ${who.accountId}`),
    ],
    [
      'its token was revoked',
      () => byToken(),
      (who) => silently(sql`delete from api_token where account_id = ${who.accountId}`),
    ],
    [
      'its token expired',
      () => byToken(),
      (who) => silently(sql`update api_token set expires_at = now() where account_id = ${who.accountId}`),
    ],
    ['its person was removed', () => inBrowser(), removeMember],
    ["its token's person was removed", () => byToken(), removeMember],
    [
      'the organization requires a second factor that the person lacks',
      () => inBrowser('owner'),
      (who) =>
        silently(
          sql`update organization set require_second_factor = true where organization_id = ${who.organizationId}`,
        ),
    ],
  ])('is closed when %s', async (_what, begin, change) => {
    const who = await begin();
    await change(who);
    expect(await who.stream.closed).toBe(closeCodes.sessionEnded);
  });
});

describe('a socket', () => {
  it('stays open after a change of role and after other members are removed', async () => {
    const demoted = await inBrowser('owner');
    const bystander = await inBrowser();
    const removed = await inBrowser();
    await withOrganization(api.database, demoted.organizationId, (trx) =>
      trx.updateTable('membership').set({ role: 'viewer' }).execute(),
    );
    await removeMember(removed);
    expect(await removed.stream.closed).toBe(closeCodes.sessionEnded);
    // The same query checked all three; its closes are complete by now.
    await sleep(300);
    for (const { stream } of [demoted, bystander]) expect(stream.socket.readyState).toBe(stream.socket.OPEN);
  });

  it('of a token closes immediately after the relay message', async () => {
    const who = await byToken();
    const { rows } = await sql<{
      id: string;
    }>`select id from api_token where account_id = ${who.accountId}`.execute(api.database.system);
    await api.relay.port.publish(sessionEndedTopic(rows[0]?.id ?? ''), {});
    expect(await who.stream.closed).toBe(closeCodes.sessionEnded);
  });

  it('is checked in one query with all sockets of the process', async () => {
    const member = await newMember();
    const here = await Promise.all(
      Array.from({ length: 20 }, async () => listenAs(member, await bySession(api, member))),
    );
    const executed = vi.spyOn(api.database.system.getExecutor(), 'executeQuery');
    await sleep(3500);
    const statements = executed.mock.calls.length;
    executed.mockRestore();
    expect(statements).toBeGreaterThanOrEqual(1);
    expect(statements).toBeLessThanOrEqual(2);
    for (const { stream } of here) expect(stream.socket.readyState).toBe(stream.socket.OPEN);
  });

  it('stays open while the database is not reachable', async () => {
    const who = await inBrowser();
    const executed = vi
      .spyOn(api.database.system.getExecutor(), 'executeQuery')
      .mockRejectedValue(new Error('Connection terminated'));
    await vi.waitFor(() => expect(executed).toHaveBeenCalled());
    executed.mockRestore();
    expect(who.stream.socket.readyState).toBe(who.stream.socket.OPEN);
    await removeMember(who);
    expect(await who.stream.closed).toBe(closeCodes.sessionEnded);
  });
});
