import type { Role } from '@riskboard/contract';
import { type OrganizationTransaction, withOrganization } from '@riskboard/db';
import { sql } from 'kysely';
import { bySession, makeMember, makeOrganization, type Member } from './member.ts';
import type { Answer } from '../person.ts';
import type { TestApi } from '../start-api.ts';

/** A member with a browser session. */
export interface Colleague extends Member {
  email: string;
  sessionId: string;
  call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object): Promise<Answer>;
}

/** An entry of the activity log, without id and time. */
export interface LogEntry {
  action: string;
  actor: string;
  account_id: string | null;
  noun: string;
  noun_id: string | null;
  name: string;
  via: string;
  detail: Record<string, unknown>;
}

/** An organization with its members. */
export interface Team {
  organizationId: string;
  join(role: Role): Promise<Colleague>;
  /** Adds a member of another organization to this one. */
  adopt(member: Member, role: Role): Promise<Colleague>;
  inside<T>(work: (trx: OrganizationTransaction) => Promise<T>): Promise<T>;
  /** Roles by account id. */
  roles(): Promise<Record<string, Role>>;
  /** Log entries about the organization, oldest first. */
  log(): Promise<LogEntry[]>;
}

export async function makeTeam(api: TestApi): Promise<Team> {
  const { database, app } = api;
  const organizationId = await makeOrganization(api);
  const inside: Team['inside'] = (work) => withOrganization(database, organizationId, work);

  async function atBrowser(member: Member): Promise<Colleague> {
    const { headers, remoteAddress } = await bySession(api, member);
    const { email, sessionId } = await database.system
      .selectFrom('account')
      .innerJoin('session', 'session.account_id', 'account.id')
      .select(['email', 'session.id as sessionId'])
      .where('account.id', '=', member.accountId)
      .where('session.organization_id', '=', organizationId)
      .executeTakeFirstOrThrow();
    return {
      ...member,
      email,
      sessionId,
      call: (method, url, body) =>
        app.inject({ method, url, headers, remoteAddress, ...(body ? { body } : {}) }),
    };
  }

  return {
    organizationId,
    inside,
    join: async (role) => atBrowser(await makeMember(api, organizationId, role)),
    async adopt({ accountId }, role) {
      await inside((trx) =>
        trx
          .insertInto('membership')
          .values({ organization_id: organizationId, account_id: accountId, role })
          .execute(),
      );
      return atBrowser({ organizationId, accountId });
    },
    async roles() {
      const rows = await inside((trx) =>
        trx.selectFrom('membership').select(['account_id', 'role']).execute(),
      );
      return Object.fromEntries(rows.map((row) => [row.account_id, row.role]));
    },
    log: () =>
      inside((trx) =>
        trx
          .selectFrom('activity')
          .select(['action', 'actor', 'account_id', 'noun', 'noun_id', 'name', 'via', 'detail'])
          .where('noun', '=', 'organization')
          .orderBy('id')
          .execute(),
      ),
  };
}

/** Whether an account exists, with or without memberships. */
export async function accountExists({ database }: TestApi, accountId: string): Promise<boolean> {
  const found = await database.system
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return found !== undefined;
}

/** Enables a second factor with an unusable secret. */
export async function enableSecondFactor({ database }: TestApi, accountId: string): Promise<void> {
  await database.system
    .updateTable('account')
    .set({
      totp_secret: Buffer.from('sealed'),
      totp_pending: Buffer.from('sealed'),
      totp_enabled_at: sql<Date>`now()`,
      totp_last_step: 1,
    })
    .where('id', '=', accountId)
    .execute();
  await database.system
    .insertInto('recovery_code')
    .values({ account_id: accountId, code_hash: Buffer.from('hash') })
    .execute();
}

/** Topics published since the given index. */
export const topicsSince = ({ relay }: TestApi, from: number): string[] =>
  relay.published.slice(from).map(({ topic }) => topic);
