import { members } from '@riskboard/contract/schemas';
import { deleteAccountsWithoutMembership, withOrganization } from '@riskboard/db';
import { notifyMailSender } from '@riskboard/queue';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { afterCommit } from '../lib/publish.ts';
import { serve } from '../lib/http/serve.ts';
import { confirmIdentity } from '../passwords/confirm-password.ts';
import { createSeal } from '../second-factor/seal.ts';
import { publishSessionsEnded } from '../sessions/sessions.ts';
import { inviter } from './invitation-routes.ts';
import { endSessions, listMembers, removeMember, setRole } from './members.ts';
import { confirmForOwner, confirmGrant } from './ownership.ts';
import { resetSecondFactor } from './reset-second-factor.ts';
import { organizationPublisher } from './publish-changes.ts';

export function memberRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, config } = deps;
  const seal = createSeal(config.sessionSecret, config.previousSecret);
  const changed = organizationPublisher(afterCommit(deps, app.log));

  serve(
    app,
    { tag: 'organization', table: members },
    {
      async list({ caller }) {
        const all = await withOrganization(database, caller.organizationId, (trx) =>
          listMembers(trx, caller),
        );
        return { members: all, total: all.length };
      },

      add: inviter(app, deps),

      async setRole({ params, body, caller }) {
        const accountId = params.id;
        await confirmGrant(database, caller, body);
        const confirmed =
          body.role !== 'owner' &&
          (await confirmForOwner({ database, seal }, caller, { accountId, proof: body }));
        const member = await withOrganization(database, caller.organizationId, (trx) =>
          setRole(trx, caller, { accountId, role: body.role, confirmed }),
        );
        await changed(caller, [params.id]);
        return member;
      },

      async resetSecondFactor({ params, body, caller }) {
        await confirmIdentity({ database, seal }, caller, body);
        const { member, endedSessions } = await resetSecondFactor(database, caller, params.id);
        await Promise.all([
          publishSessionsEnded(deps, endedSessions),
          notifyMailSender(deps.relay),
          changed(caller, [params.id]),
        ]);
        return member;
      },

      async endSessions({ params, body, caller }) {
        await confirmIdentity({ database, seal }, caller, body);
        const { sessions, tokens } = await withOrganization(database, caller.organizationId, (trx) =>
          endSessions(trx, caller, params.id),
        );
        await Promise.all([
          publishSessionsEnded(deps, [...sessions, ...tokens]),
          changed(caller, [params.id]),
        ]);
        return { success: true as const, ended: sessions.length, tokensRevoked: tokens.length };
      },

      async remove({ params, body, caller }) {
        const accountId = params.id;
        const confirmed = await confirmForOwner({ database, seal }, caller, { accountId, proof: body });
        const ended = await withOrganization(database, caller.organizationId, (trx) =>
          removeMember(trx, caller, { accountId, confirmed }),
        );
        await database.system
          .transaction()
          .execute((system) => deleteAccountsWithoutMembership(system, [params.id]));
        await Promise.all([publishSessionsEnded(deps, ended), changed(caller, [params.id])]);
        return { success: true as const, _id: params.id, id: params.id };
      },
    },
  );
}
