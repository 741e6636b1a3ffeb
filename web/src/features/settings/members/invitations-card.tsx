import { invitations, type Invitation, type Reply } from '@riskboard/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { roleNames } from '../../../lib/session/role-labels.ts';
import { AlertDialog } from '../../../ui/dialog/alert-dialog.tsx';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { idlePart } from '../../../ui/layout/idle-part.tsx';
import { IconButton } from '../../../ui/button/icon-button.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { attempt } from '../../../ui/feedback/attempt.ts';
import { EmailText } from './email-text.tsx';
import { invitationsFound } from './found.ts';
import { Paged } from './paged.tsx';
import { PasswordDialog } from '../password-dialog.tsx';
import { Loaded } from '../loaded.tsx';
import { invitationsQuery } from '../queries.ts';

const linkDialog = idlePart(async () => (await import('./invite-dialog.tsx')).InvitationLinkDialog, null);

/** Invitations that were not accepted yet and match the search; owners only. */
export function InvitationsCard({ search }: { search: string }) {
  const query = useQuery(invitationsQuery);
  linkDialog.useIdleLoad();
  return (
    <Card title="Open invitations">
      <Loaded query={query} failure="Failed to load the invitations." rows={1}>
        {(list) => (
          <Paged noun="invitations" rows={invitationsFound(list, search)} search={search}>
            {(rows) =>
              rows.length === 0 ? (
                <p className="px-4 py-4 text-muted">
                  {list.length === 0 ? 'No open invitations.' : 'No open invitations found.'}
                </p>
              ) : (
                <ul className="divide-y">
                  {rows.map((invitation) => (
                    <InvitationRow key={invitation._id} invitation={invitation} />
                  ))}
                </ul>
              )
            }
          </Paged>
        )}
      </Loaded>
    </Card>
  );
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { _id, email, role, expiresAt, expired, invitedBy } = invitation;
  const queryClient = useQueryClient();
  const [withdrawing, setWithdrawing] = useState(false);
  const [renewed, setRenewed] = useState<Reply<typeof invitations.create>>();
  const [busy, setBusy] = useState(false);
  const refresh = () => queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey });

  const [confirming, setConfirming] = useState(false);

  async function renew(): Promise<void> {
    // Owner rights need the password.
    if (role === 'owner') return setConfirming(true);
    setBusy(true);
    await attempt(async () => setRenewed(await call(invitations.create, { body: { email, role } })), {
      done: `Invitation for ${email} renewed`,
      failure: 'Failed to renew the invitation',
    });
    setBusy(false);
  }

  async function withdraw(): Promise<void> {
    await attempt(() => call(invitations.withdraw, { params: { id: _id } }), {
      done: `Invitation for ${email} withdrawn`,
      failure: 'Failed to withdraw the invitation',
    });
    await refresh();
  }

  return (
    <li className="flex min-h-14 items-center gap-3 px-4 py-2.5">
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <EmailText email={email} />
          {expired && <Badge tone="warning">Expired</Badge>}
        </p>
        <p className="text-sm text-muted">
          {roleNames[role]} · {expired ? 'Expired' : 'Expires'} <Time value={expiresAt} />
          {invitedBy !== '' && <span className="max-sm:hidden"> · Invited by {invitedBy}</span>}
        </p>
      </div>
      <IconButton
        label={`Renew the invitation for ${email}`}
        icon={<RotateCw aria-hidden size={16} />}
        disabled={busy}
        onClick={() => void renew()}
      />
      <IconButton
        label={`Withdraw the invitation for ${email}`}
        icon={<Trash2 aria-hidden size={16} />}
        onClick={() => setWithdrawing(true)}
      />
      <AlertDialog
        open={withdrawing}
        onOpenChange={setWithdrawing}
        title={`Withdraw the invitation for ${email}?`}
        description="Their link stops working. You can invite them again at any time."
        confirmLabel="Withdraw"
        danger
        onConfirm={withdraw}
      />
      {confirming && (
        <PasswordDialog
          title={`Renew the invitation for ${email}?`}
          description="They will be invited as an owner, with full access."
          submitLabel="Renew"
          send={(password) => call(invitations.create, { body: { email, role, password } })}
          onDone={(reply) => {
            setConfirming(false);
            setRenewed(reply);
          }}
          onClose={() => setConfirming(false)}
        />
      )}
      {renewed !== undefined && (
        <linkDialog.Part
          invitation={renewed}
          onClose={() => {
            setRenewed(undefined);
            void refresh();
          }}
        />
      )}
    </li>
  );
}
