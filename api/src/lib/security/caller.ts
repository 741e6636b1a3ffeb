import type { Role } from '@riskboard/contract';

/** Who makes a request: a person in one organisation, by a session or by an API token of theirs. */
export interface Caller {
  organizationId: string;
  accountId: string;
  /** Null when an API token asks. */
  sessionId: string | null;
  tokenId: string | null;
  /** The membership's; of a token, the smaller of its own and the membership's. */
  role: Role;
  /** As the activity log calls them: name and address. */
  actor: string;
  /** From where. */
  address: string;
  /** The organisation requires a second factor that this person has not set up. */
  lacksSecondFactor: boolean;
  /** The organisation is being deleted: nothing may be written in it. */
  deleting: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by requireAccess; null on public endpoints. */
    caller: Caller | null;
  }
}
