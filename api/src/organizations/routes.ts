import { organizations } from '@riskboard/contract/schemas';
import { deleteAccountsWithoutMembership, withOrganization } from '@riskboard/db';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { afterCommit } from '../lib/publish.ts';
import { serve } from '../lib/http/serve.ts';
import { clearSessionCookies } from '../sessions/cookies.ts';
import { publishSessionsEnded } from '../sessions/sessions.ts';
import { confirmIdentity, confirmPassword } from '../passwords/confirm-password.ts';
import { createSeal } from '../second-factor/seal.ts';
import { startDeletion } from './delete-organization.ts';
import { invitationRoutes } from './invitation-routes.ts';
import { memberRoutes } from './member-routes.ts';
import { transferOwnership, leave } from './members.ts';
import { readOrganization, updateOrganization } from './organization.ts';
import { organizationPublisher } from './publish-changes.ts';

export function organizationRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, config } = deps;
  const seal = createSeal(config.sessionSecret, config.previousSecret);
  const after = afterCommit(deps, app.log);
  const changed = organizationPublisher(after);

  serve(
    app,
    { tag: 'organization', table: organizations },
    {
      get: ({ caller }) => withOrganization(database, caller.organizationId, readOrganization),

      async update({ body, caller }) {
        const { requireSecondFactor, password, code } = body;
        const confirmed = requireSecondFactor === false && password !== undefined;
        if (confirmed) await confirmIdentity({ database, seal }, caller, { password, code });
        const updated = await withOrganization(database, caller.organizationId, (trx) =>
          updateOrganization(trx, caller, { body, confirmed }),
        );
        if (updated) await changed(caller, [caller.organizationId]);
        return withOrganization(database, caller.organizationId, readOrganization);
      },

      async transferOwnership({ body, caller }) {
        await confirmPassword(database, caller, body.password);
        await withOrganization(database, caller.organizationId, (trx) =>
          transferOwnership(trx, caller, body.accountId),
        );
        await changed(caller, [body.accountId, caller.accountId]);
        return { success: true as const };
      },

      async leave({ body, caller, reply }) {
        await confirmPassword(database, caller, body.password);
        const ended = await withOrganization(database, caller.organizationId, (trx) => leave(trx, caller));
        clearSessionCookies(reply);
        await database.system
          .transaction()
          .execute((system) => deleteAccountsWithoutMembership(system, [caller.accountId]));
        await Promise.all([publishSessionsEnded(deps, ended), changed(caller, [caller.accountId])]);
        return { success: true as const };
      },

      async delete({ body, caller, request, reply }) {
        await confirmPassword(database, caller, body.password);
        const started = await withOrganization(database, caller.organizationId, (trx) =>
          startDeletion(trx, caller, body.name),
        );
        request.log.info({ organizationId: caller.organizationId }, 'organization is being deleted');
        await Promise.all([
          after.jobsCancelled(started.cancelled),
          publishSessionsEnded(deps, started.endedSessions),
          after.jobsQueued([started.job]),
          changed(caller, [caller.organizationId]),
        ]);
        reply.header('location', `/api/jobs/${started.job.id}`);
        return { jobId: started.job.id, message: 'The organization is being deleted.' };
      },
    },
  );
  memberRoutes(app, deps);
  invitationRoutes(app, deps);
}
