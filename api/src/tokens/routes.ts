import { roles } from '@riskboard/contract';
import { tokens } from '@riskboard/contract/schemas';
import { withOrganization } from '@riskboard/db';
import { notifyMailSender } from '@riskboard/queue';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { Failure, invalidField } from '../lib/http/failure.ts';
import { serve } from '../lib/http/serve.ts';
import { publishSessionsEnded } from '../sessions/sessions.ts';
import { createToken, listTokens, revokeToken } from './tokens.ts';

/** API tokens of the caller in this organization (contract, Accounts). */
export function tokenRoutes(app: FastifyInstance, deps: Deps): void {
  const { database } = deps;

  serve(
    app,
    { tag: 'tokens', table: tokens },
    {
      list: ({ caller }) =>
        withOrganization(database, caller.organizationId, async (trx) => ({
          tokens: await listTokens(trx, caller),
        })),

      async create({ body, caller }) {
        if (roles.indexOf(body.role) > roles.indexOf(caller.role))
          throw invalidField('role', `Your own role is ${caller.role}; a token cannot have a higher role.`);
        const created = await createToken(database, caller, body);
        void notifyMailSender(deps.relay);
        return created;
      },

      async revoke({ params, caller }) {
        const revoked = await withOrganization(database, caller.organizationId, (trx) =>
          revokeToken(trx, caller, params.id),
        );
        if (!revoked) throw new Failure('not_found', 'This token does not exist.');
        await publishSessionsEnded(deps, [params.id]);
        return { success: true as const, _id: params.id, id: params.id };
      },
    },
  );
}
