import type { Call } from '@riskboard/contract';
import { invitations } from '@riskboard/contract/schemas';
import { withOrganization } from '@riskboard/db';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { Caller } from '../lib/security/caller.ts';
import { notifyMailWorker } from '../lib/mail/request-mail.ts';
import { afterCommit } from '../lib/publish.ts';
import { serve } from '../lib/http/serve.ts';
import { tellEnded } from '../sessions/sessions.ts';
import { deviceOf, welcome } from '../sessions/welcome.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { invite, listInvitations, withdraw } from './invitations.ts';
import { findInvitation, spentInvitation } from './join.ts';
import { organizationChanges } from './tell.ts';

/** The page of a link, at the address that the owner uses if it is ours: `Origin` is a browser's word, `Host` is not. */
function invitationLink({ headers, server }: FastifyRequest, token: string): string {
  const [first = ''] = server.ownOrigins;
  const origin =
    headers.origin !== undefined && server.ownOrigins.has(headers.origin) ? headers.origin : first;
  return `${origin}/invitation?token=${token}`;
}

interface Inviting {
  body: Call<typeof invitations.create>['body'];
  caller: Caller;
  request: FastifyRequest;
}

/** Handles both calls that invite: members.add and invitations.create. */
export function inviter(app: FastifyInstance, deps: Deps) {
  const changed = organizationChanges(afterCommit(deps, app.log));
  return async ({ body, caller, request }: Inviting) => {
    const { invitation, token } = await withOrganization(deps.database, caller.organizationId, (trx) =>
      invite(trx, caller, body),
    );
    await Promise.all([notifyMailWorker(deps), changed(caller, [invitation._id])]);
    return { ...invitation, link: invitationLink(request, token) };
  };
}

export function invitationRoutes(app: FastifyInstance, deps: Deps): void {
  const { database } = deps;
  const changed = organizationChanges(afterCommit(deps, app.log));

  /** Whether somebody of this address can sign in. */
  const isKnown = async (email: string): Promise<boolean> => {
    const account = await database.system
      .selectFrom('account')
      .innerJoin('membership', 'membership.account_id', 'account.id')
      .select('account.id')
      .where('account.email', '=', email)
      .limit(1)
      .executeTakeFirst();
    return account !== undefined;
  };

  serve(
    app,
    { tag: 'organization', table: invitations },
    {
      async list({ caller }) {
        const open = await withOrganization(database, caller.organizationId, listInvitations);
        return { invitations: open, total: open.length };
      },

      create: inviter(app, deps),

      async withdraw({ params, caller }) {
        await withOrganization(database, caller.organizationId, (trx) => withdraw(trx, caller, params.id));
        await changed(caller, [params.id]);
        return { success: true as const, _id: params.id, id: params.id };
      },

      async read({ body }) {
        const invitation = await findInvitation(database.system, body.token);
        if (!invitation) throw spentInvitation();
        const { organization, role, email, invitedBy } = invitation;
        return { organization, role, email, invitedBy, known: await isKnown(email) };
      },

      async accept({ body, caller, request, reply }) {
        const user = await app.sessions.user(request);
        const signedIn = await acceptInvitation(database, {
          caller,
          user,
          token: body.token,
          device: deviceOf(request),
        });
        welcome(reply, signedIn);
        await Promise.all([
          tellEnded(deps, caller.sessionId === null ? [] : [caller.sessionId]),
          changed({ organizationId: signedIn.user.organizationId, accountId: caller.accountId }, [
            caller.accountId,
          ]),
        ]);
        return { success: true as const };
      },
    },
  );
}
