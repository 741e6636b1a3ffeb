import type { Role } from '@riskboard/contract';

/** The caller of a request: a person in one organization, by session or API token. */
export interface Caller {
  organizationId: string;
  accountId: string;
  /** Null for an API token. */
  sessionId: string | null;
  tokenId: string | null;
  /** The role of the membership; for a token, the lower of its own role and the membership's. */
  role: Role;
  /** Name and address, as in the activity log. */
  actor: string;
  /** IP address. */
  address: string;
  /** Id of the browser, if it is known to have had a session of this account. */
  device?: string | undefined;
  /** The organization requires a second factor, and the person has none. */
  lacksSecondFactor: boolean;
  /** The organization is being deleted: writes are refused. */
  deleting: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by requireAccess; null on public endpoints. */
    caller: Caller | null;
  }
}
