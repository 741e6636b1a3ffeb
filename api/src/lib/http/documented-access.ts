import type { Access, Endpoint } from '@riskboard/contract';

/** Ways to authenticate; a token takes precedence over a cookie. */
export const securitySchemes = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'rb_session',
    description:
      'Set by signing in; named `__Host-rb_session` on https. Writes require an `Origin` or `Sec-Fetch-Site` header of a Riskboard page. A page may name the account and the organization that it shows in the header `Riskboard-Signed-In-As: <account id> <organization id>`: if the session has others, which another tab may have caused, the call is refused with 409 `session_changed` before anything is done. API tokens ignore the header.',
  },
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'rb_…',
    description:
      'An API token created in the settings: `Authorization: Bearer rb_…`. It has a role and an expiry, and never more rights than its owner.',
  },
} as const;

const descriptions = {
  public: 'No authentication required.',
  self: 'Every member, for their own data; allowed without a required second factor.',
  viewer: 'Minimum role: viewer.',
  analyst: 'Minimum role: analyst.',
  owner: 'Minimum role: owner.',
} as const satisfies Record<Access, string>;

/** The OpenAPI description of what `requireAccess` enforces, from the same fields. */
export function documentedAccess({
  access,
  method,
  readOnly,
  sessionOnly,
}: Pick<Endpoint, 'access' | 'method' | 'readOnly' | 'sessionOnly'>) {
  const session = { session: [] };
  if (access === 'public') return { description: descriptions.public, security: [] };
  if (sessionOnly)
    return {
      description: `${descriptions[access]} Requires a session; API tokens are refused.`,
      security: [session],
    };
  const token =
    access === 'self' && method !== 'GET' && !readOnly ? 'API token of an analyst or owner' : 'API token';
  return {
    description: `${descriptions[access]} By session or ${token}.`,
    security: [session, { token: [] }],
  };
}
