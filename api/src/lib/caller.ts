import type { Role } from '@riskboard/contract';

/** Who makes a request: a person's session in one organisation. */
export interface Caller {
  organizationId: string;
  accountId: string;
  sessionId: string;
  role: Role;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by requireAccess; null on public endpoints. */
    caller: Caller | null;
  }
}
