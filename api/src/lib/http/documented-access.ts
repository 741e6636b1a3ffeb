import type { Access, Endpoint } from '@riskboard/contract';

/** The two ways to show who one is; a token that is sent goes before a cookie. */
export const securitySchemes = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'rb_session',
    description:
      'Set by signing in; behind https it is called `__Host-rb_session`. A write with it must come from a page of Riskboard (`Origin` or `Sec-Fetch-Site`).',
  },
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'rb_…',
    description:
      'An API token, made in the settings: `Authorization: Bearer rb_…`. It has a role and an end, and never may more than its person.',
  },
} as const;

const leastRoles = {
  public: 'Open to everybody.',
  self: 'For every member, for what is their own; also while a required second factor is missing.',
  viewer: 'Least role: viewer.',
  analyst: 'Least role: analyst.',
  owner: 'Least role: owner.',
} as const satisfies Record<Access, string>;

/** What the document says of who may call an endpoint: what `requireAccess` enforces, from the same two words. */
export function documentedAccess({ access, sessionOnly }: Pick<Endpoint, 'access' | 'sessionOnly'>) {
  const session = { session: [] };
  if (access === 'public') return { description: leastRoles.public, security: [] };
  if (sessionOnly)
    return {
      description: `${leastRoles[access]} Needs a session; API tokens are refused.`,
      security: [session],
    };
  return {
    description: `${leastRoles[access]} By session or API token.`,
    security: [session, { token: [] }],
  };
}
