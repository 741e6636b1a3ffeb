import {
  accounts,
  emailChange,
  invitations,
  members,
  organizations,
  reports,
  secondFactor,
  sessions,
  tokens,
  type User,
} from '@riskboard/contract';
import { ApiToken, Invitation, Member, Organization, Session } from '@riskboard/contract/schemas';
import { fakeApi } from './fake-api.ts';
import { newId, userOf } from './rows.ts';
import { answer, server } from './server.ts';

const at = '2026-11-20T10:00:00.000Z';

export const memberOf = (change: Partial<Member> = {}): Member =>
  Member.parse({
    _id: newId(),
    email: 'ben@example.org',
    firstName: 'Ben',
    lastName: 'Okafor',
    role: 'analyst',
    secondFactor: false,
    joinedAt: at,
    lastSeenAt: null,
    self: false,
    ...change,
  } satisfies Member);

/** The signed-in member. */
export const selfOf = (user: User): Member =>
  memberOf({
    _id: user._id,
    email: user.email,
    firstName: user.firstName,
    lastName: user.lastName,
    role: user.role,
    secondFactor: user.secondFactor,
    self: true,
  });

export const invitationOf = (change: Partial<Invitation> = {}): Invitation =>
  Invitation.parse({
    _id: newId(),
    email: 'eve@example.org',
    role: 'viewer',
    createdAt: at,
    expiresAt: at,
    expired: false,
    invitedBy: 'Ada Lovelace',
    ...change,
  } satisfies Invitation);

export const sessionOf = (change: Partial<Session> = {}): Session =>
  Session.parse({
    _id: newId(),
    current: false,
    organization: 'Northwind Energy',
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0',
    address: '192.0.2.17',
    createdAt: at,
    lastUsedAt: at,
    ...change,
  } satisfies Session);

export const tokenOf = (change: Partial<ApiToken> = {}): ApiToken =>
  ApiToken.parse({
    _id: newId(),
    name: 'Nightly upload',
    role: 'analyst',
    hint: 'x9Qz',
    createdAt: at,
    expiresAt: at,
    lastUsedAt: null,
    expired: false,
    ...change,
  } satisfies ApiToken);

export const organizationOf = (change: Partial<Organization> = {}): Organization =>
  Organization.parse({
    _id: newId(),
    name: 'Northwind Energy',
    createdAt: at,
    members: 2,
    requireSecondFactor: false,
    autoRecalculateCwss: false,
    deletingSince: null,
    ...change,
  } satisfies Organization);

export interface SettingsApi {
  user: User;
  members: Member[];
  invitations: Invitation[];
  sessions: Session[];
  tokens: ApiToken[];
  organization: Organization;
  /** A mailed link has confirmed the address. */
  confirmed: boolean;
  /** The second factor is on. */
  secured: boolean;
}

/** An API that answers every read of the settings. A test overrides single endpoints and changes the returned data. */
export function settingsApi(change: Partial<User> = {}): SettingsApi {
  const user = userOf(change);
  const api: SettingsApi = {
    user,
    members: [selfOf(user), memberOf()],
    invitations: [],
    sessions: [sessionOf({ current: true })],
    tokens: [],
    organization: organizationOf(),
    confirmed: true,
    secured: user.secondFactor,
  };
  fakeApi();
  server.use(
    answer(accounts.me, () => ({ user: api.user })),
    answer(accounts.memberships, () => ({
      memberships: [
        {
          organizationId: api.user.organizationId,
          organization: api.user.organization,
          role: api.user.role,
          current: true,
        },
      ],
    })),
    answer(sessions.list, () => ({ sessions: api.sessions })),
    answer(emailChange.get, () => ({
      email: api.user.email,
      verified: api.confirmed,
      verificationRequired: true,
    })),
    answer(secondFactor.get, () => ({
      enabled: api.secured,
      enabledAt: api.secured ? at : null,
      recoveryCodesLeft: api.secured ? 10 : 0,
      required: api.user.secondFactorRequired,
    })),
    answer(tokens.list, () => ({ tokens: api.tokens })),
    answer(organizations.get, () => api.organization),
    answer(members.list, () => ({ members: api.members, total: api.members.length })),
    answer(invitations.list, () => ({ invitations: api.invitations, total: api.invitations.length })),
    answer(reports.overview, () => ({
      files: 24,
      bytes: 0,
      byVersion: {},
      vulnerabilities: 1204,
      threats: 1,
      lastUploadAt: null,
      jobs: { queued: 0, running: 0, failed: 0 },
    })),
  );
  return api;
}
