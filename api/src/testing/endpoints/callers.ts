import { type ServedEndpoint, type ErrorCode, type Role, roles } from '@riskboard/contract';
import {
  bySession,
  type Credentials,
  makeMember,
  makeOrganization,
  insertToken,
  withToken,
} from '../accounts/member.ts';
import { isWrite } from './endpoints.ts';
import { freshAddress } from '../person.ts';
import { origin, type TestApi } from '../start-api.ts';

/** Decision of the access check: in, or the error code. */
export type Decision = 'in' | ErrorCode;

/** A kind of caller, and the decision expected from the endpoint table. */
export interface Caller {
  name: string;
  /** New credentials, for calls that would affect each other. */
  credentials(api: TestApi): Promise<Credentials>;
  expected(endpoint: ServedEndpoint): Decision;
}

const allows = ({ access }: ServedEndpoint, role: Role): boolean =>
  access === 'public' || access === 'self' || roles.indexOf(role) >= roles.indexOf(access);

const ifSignedIn = ({ access }: ServedEndpoint): Decision => (access === 'public' ? 'in' : 'not_signed_in');
const byRole = (endpoint: ServedEndpoint, role: Role): Decision =>
  allows(endpoint, role) ? 'in' : 'role_too_low';
/** A token of a viewer writes nothing, also of its owner's own things. */
function byTokenRole(endpoint: ServedEndpoint, role: Role): Decision {
  if (endpoint.sessionOnly) return 'session_needed';
  const writesOwn = endpoint.access === 'self' && isWrite(endpoint) && !endpoint.readOnly;
  return role === 'viewer' && writesOwn ? 'role_too_low' : byRole(endpoint, role);
}
const forOwnThings = ({ access }: ServedEndpoint): boolean => access === 'public' || access === 'self';

/** A member of a new organization, in a browser. */
const inBrowser =
  (role: Role, state: Parameters<typeof makeOrganization>[1] = {}) =>
  async (api: TestApi): Promise<Credentials> =>
    bySession(api, await makeMember(api, await makeOrganization(api, state), role));

interface TokenOf {
  /** Role of the membership. */
  member: Role;
  token: Role;
  expiresAt?: Date;
  state?: Parameters<typeof makeOrganization>[1];
}

const byToken =
  ({ member, token, expiresAt, state = {} }: TokenOf) =>
  async (api: TestApi): Promise<Credentials> => {
    const person = await makeMember(api, await makeOrganization(api, state), member);
    return withToken(await insertToken(api, person, { role: token, ...(expiresAt ? { expiresAt } : {}) }));
  };

/** An owner's cookie, sent with these origin headers. */
const cookieFrom =
  (from: Record<string, string>) =>
  async (api: TestApi): Promise<Credentials> => {
    const { headers, remoteAddress } = await inBrowser('owner')(api);
    const { origin: _own, ...cookie } = headers;
    return { headers: { ...cookie, ...from }, remoteAddress };
  };

const fromElsewhere = (endpoint: ServedEndpoint): Decision => (isWrite(endpoint) ? 'foreign_origin' : 'in');

export const callers: Caller[] = [
  {
    name: 'anonymous',
    credentials: async () => ({ headers: { origin }, remoteAddress: freshAddress() }),
    expected: ifSignedIn,
  },
  {
    name: 'bad token',
    credentials: async () => withToken('rb_unknown-token'),
    expected: ifSignedIn,
  },
  {
    name: 'expired token',
    credentials: byToken({ member: 'owner', token: 'owner', expiresAt: new Date(Date.now() - 1000) }),
    expected: ifSignedIn,
  },
  ...roles.map((role) => ({
    name: role,
    credentials: inBrowser(role),
    expected: (endpoint: ServedEndpoint) => byRole(endpoint, role),
  })),
  ...roles.map((role) => ({
    name: `${role} token`,
    credentials: byToken({ member: role, token: role }),
    expected: (endpoint: ServedEndpoint) => byTokenRole(endpoint, role),
  })),
  {
    name: "owner's viewer token",
    credentials: byToken({ member: 'owner', token: 'viewer' }),
    expected: (endpoint) => byTokenRole(endpoint, 'viewer'),
  },
  {
    name: "viewer's owner token",
    credentials: byToken({ member: 'viewer', token: 'owner' }),
    expected: (endpoint) => byTokenRole(endpoint, 'viewer'),
  },
  {
    name: 'foreign page',
    credentials: cookieFrom({ origin: 'https://evil.example' }),
    expected: fromElsewhere,
  },
  { name: 'sandboxed page', credentials: cookieFrom({ origin: 'null' }), expected: fromElsewhere },
  {
    name: 'cross-site',
    credentials: cookieFrom({ 'sec-fetch-site': 'cross-site' }),
    expected: fromElsewhere,
  },
  {
    name: 'same-site',
    credentials: cookieFrom({ 'sec-fetch-site': 'same-site' }),
    expected: fromElsewhere,
  },
  {
    name: 'cookie alone',
    credentials: cookieFrom({}),
    expected: (endpoint) =>
      endpoint.access === 'public' && endpoint.usesCookie !== true ? 'in' : fromElsewhere(endpoint),
  },
  {
    name: 'no second factor',
    credentials: inBrowser('owner', { requireSecondFactor: true }),
    expected: (endpoint) => (forOwnThings(endpoint) ? 'in' : 'second_factor_required'),
  },
  {
    name: 'its token',
    credentials: byToken({ member: 'owner', token: 'owner', state: { requireSecondFactor: true } }),
    expected(endpoint) {
      if (endpoint.sessionOnly) return 'session_needed';
      return forOwnThings(endpoint) ? 'in' : 'second_factor_required';
    },
  },
  {
    name: 'being deleted',
    credentials: inBrowser('owner', { deleting: true }),
    expected: (endpoint) =>
      isWrite(endpoint) && !forOwnThings(endpoint) && !endpoint.whileDeleting ? 'conflict' : 'in',
  },
];
