import { randomBytes } from 'node:crypto';
import type { Role } from '@riskboard/contract';
import { newId } from '@riskboard/db';
import { hashPassword } from '../../passwords/hash.ts';
import { tokenHash } from '../../tokens/find-token.ts';
import { freshAddress, freshEmail, password } from '../person.ts';
import { origin, type TestApi } from '../start-api.ts';

/** An account in an organization. */
export interface Member {
  organizationId: string;
  accountId: string;
}

/** Headers and address of an authenticated call. */
export interface Credentials {
  headers: Record<string, string>;
  remoteAddress: string;
}

const hour = 3_600_000;
let passwordHash: Promise<string> | undefined;

/** Inserts an organization directly, which is faster than a sign-up. */
export async function makeOrganization(
  { database }: TestApi,
  state: { requireSecondFactor?: boolean; deleting?: boolean } = {},
): Promise<string> {
  const organizationId = newId();
  await database.system
    .insertInto('organization')
    .values({ organization_id: organizationId, name: 'Northquay' })
    .execute();
  if (!state.requireSecondFactor && !state.deleting) return organizationId;
  await database.system
    .updateTable('organization')
    .set({
      require_second_factor: state.requireSecondFactor ?? false,
      deleting_at: state.deleting ? new Date() : null,
    })
    .where('organization_id', '=', organizationId)
    .execute();
  return organizationId;
}

/** Inserts a member with the password that all test accounts share. */
export async function makeMember({ database }: TestApi, organizationId: string, role: Role): Promise<Member> {
  const accountId = newId();
  passwordHash ??= hashPassword(password);
  await database.system
    .insertInto('account')
    .values({ id: accountId, email: freshEmail(), password_hash: await passwordHash, first_name: 'Grace' })
    .execute();
  await database.system
    .insertInto('membership')
    .values({ organization_id: organizationId, account_id: accountId, role })
    .execute();
  return { organizationId, accountId };
}

/** Inserts a session. @returns its headers as a browser sends them */
export async function bySession({ app, database }: TestApi, member: Member): Promise<Credentials> {
  const id = newId();
  await database.system
    .insertInto('session')
    .values({
      id,
      organization_id: member.organizationId,
      account_id: member.accountId,
      refresh_hash: randomBytes(32),
      expires_at: new Date(Date.now() + hour),
    })
    .execute();
  const cookie = `rb_session=${app.sessions.sign({ sub: member.accountId, sid: id })}`;
  return { headers: { origin, cookie }, remoteAddress: freshAddress() };
}

/** Inserts a token, which may be expired or have a role that its owner may not grant. */
export async function insertToken(
  { database }: TestApi,
  member: Member,
  { role, expiresAt = new Date(Date.now() + hour) }: { role: Role; expiresAt?: Date },
): Promise<string> {
  const token = `rb_${randomBytes(32).toString('base64url')}`;
  await database.system
    .insertInto('api_token')
    .values({
      organization_id: member.organizationId,
      account_id: member.accountId,
      id: newId(),
      name: 'inserted',
      role,
      token_hash: tokenHash(token),
      hint: token.slice(-4),
      expires_at: expiresAt,
    })
    .execute();
  return token;
}

export const withToken = (token: string): Credentials => ({
  headers: { authorization: `Bearer ${token}` },
  remoteAddress: freshAddress(),
});
