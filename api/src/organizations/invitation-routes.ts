import type { Call } from '@riskboard/contract';
import { invitations } from '@riskboard/contract/schemas';
import { type Database, withOrganization } from '@riskboard/db';
import { notifyMailSender } from '@riskboard/queue';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { Caller } from '../lib/security/caller.ts';
import { countMail, tooManyMails } from '../lib/mail/mail-limit.ts';
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

/**
 * Counts the mail of an invitation. An organization that invites an address again and again is refused. What other
 * organizations sent to it must not: then only the mail is left out.
 * @returns whether the mail may be sent
 * @throws Failure 429
 */
async function mayMail(database: Database, { organizationId }: Caller, email: string): Promise<boolean> {
  const address = email.toLowerCase();
  const count = (subject: string) => database.system.transaction().execute((trx) => countMail(trx, subject));
  if (!(await count(`invitation of ${organizationId} to ${address}`)))
    throw tooManyMails('You have invited this address several times. Try again in a few minutes.');
  return count(`invitation to ${address}`);
}

/** Handler of both endpoints that invite: members.add and invitations.create. Without a mail server the mail becomes a file. */
export function inviter(app: FastifyInstance, deps: Deps) {
  const changed = organizationPublisher(afterCommit(deps, app.log));
  const { database, config } = deps;
  return async ({ body, caller, request }: Inviting) => {
    await confirmGrant(database, caller, body);
    const mailed = await mayMail(database, caller, body.email);
    const { invitation, token } = await withOrganization(database, caller.organizationId, (trx) =>
      invite(trx, caller, { ...body, mailed }),
    );
    await Promise.all([notifyMailSender(deps.relay), changed(caller, [invitation._id])]);
    const reason = mailed ? null : ('many-invitations' as const);
    const notMailed = config.verifyEmail ? reason : ('no-mail-server' as const);
    return { ...invitation, link: invitationLink(request, token), notMailed };
  };
}

export function invitationRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, config } = deps;
  const changed = organizationPublisher(afterCommit(deps, app.log));

  /** Whether an account with this address can sign in, and whether a mailed link may take the address from it. */
  const holderOf = async (email: string): Promise<{ known: boolean; unverified: boolean }> => {
    const account = await database.system
      .selectFrom('account')
      .innerJoin('membership', 'membership.account_id', 'account.id')
      .select('account.email_verified_at')
      .where('account.email', '=', email)
      .limit(1)
      .executeTakeFirst();
    return { known: account !== undefined, unverified: account?.email_verified_at === null };
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
        const { organization, role, email, invitedBy, mailed } = invitation;
        const { known, unverified } = await holderOf(email);
        const claimable = mailed && unverified && (config.verifyEmail ?? false);
        return { organization, role, email, invitedBy, known: mailed ? known : null, claimable };
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
