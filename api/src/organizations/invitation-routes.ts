import type { Call } from '@riskboard/contract';
import { invitations } from '@riskboard/contract/schemas';
import { withOrganization } from '@riskboard/db';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { Caller } from '../lib/security/caller.ts';
import { notifyMailWorker } from '../lib/mail/request-mail.ts';
import { afterCommit } from '../lib/publish.ts';
import { serve } from '../lib/http/serve.ts';
import { publishSessionsEnded } from '../sessions/sessions.ts';
import { deviceOf, sendSession } from '../sessions/send-session.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { invite, listInvitations, withdraw } from './invitations.ts';
import { findInvitation, invalidInvitation } from './consume-invitation.ts';
import { confirmGrant } from './ownership.ts';
import { organizationPublisher } from './publish-changes.ts';

/** Link to the invitation page, at the request's `Origin` if it is one of ours; `Host` can be forged by any client. */
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

/** Handler of both endpoints that invite: members.add and invitations.create. */
export function inviter(app: FastifyInstance, deps: Deps) {
  const changed = organizationPublisher(afterCommit(deps, app.log));
  return async ({ body, caller, request }: Inviting) => {
    await confirmGrant(deps.database, caller, body);
    const { invitation, token } = await withOrganization(deps.database, caller.organizationId, (trx) =>
      invite(trx, caller, body),
    );
    await Promise.all([notifyMailWorker(deps), changed(caller, [invitation._id])]);
    return { ...invitation, link: invitationLink(request, token) };
  };
}

export function invitationRoutes(app: FastifyInstance, deps: Deps): void {
  const { database } = deps;
  const changed = organizationPublisher(afterCommit(deps, app.log));

  /** Whether an account with this address can sign in. */
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
        if (!invitation) throw invalidInvitation();
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
        sendSession(reply, signedIn);
        await Promise.all([
          publishSessionsEnded(deps, caller.sessionId === null ? [] : [caller.sessionId]),
          changed({ organizationId: signedIn.user.organizationId, accountId: caller.accountId }, [
            caller.accountId,
          ]),
        ]);
        return { success: true as const };
      },
    },
  );
}
