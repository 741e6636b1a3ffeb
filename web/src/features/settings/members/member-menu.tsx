import { organizations, type Member } from '@riskboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { Crown, KeyRound, LogOut, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { useUser } from '../../../lib/session/account.ts';
import { nameText } from '../../../lib/format/name-text.ts';
import { AlertDialog } from '../../../ui/dialog/alert-dialog.tsx';
import { toast } from '../../../ui/feedback/toast.ts';
import { MenuItem, MenuSeparator } from '../../../ui/popup/menu.tsx';
import { RowMenu } from '../../../ui/popup/row-menu.tsx';
import { PasswordDialog } from '../password-dialog.tsx';
import { useRefreshAccount } from '../queries.ts';
import { memberName, useMemberActions } from './use-member-actions.ts';

type Action = 'transfer' | 'reset' | 'end' | 'remove';

/** Why actions on a member are disabled. */
function refusalsOf(member: Member): Partial<Record<Action, string>> {
  return {
    ...(member.self && {
      transfer: 'You are already an owner.',
      reset: 'Turn it off in your security settings.',
      end: 'Log out everywhere in your security settings.',
      remove: 'To remove yourself, leave the organization.',
    }),
    ...(!member.self && !member.secondFactor && { reset: 'No second factor is set up.' }),
  };
}

/** What a removed member loses. */
const removal =
  'They lose access immediately: their sessions, API tokens and invitations for this organization end. Their uploads and edits are kept. If they belong to no other organization, their account is deleted.';

/** An owner's actions on a member. */
export function MemberMenu({ member }: { member: Member }) {
  const [confirming, setConfirming] = useState<Action | null>(null);
  const { secondFactor } = useUser();
  const { resetSecondFactor, endSessions, remove, removeOwner, changed } = useMemberActions(member);
  const name = memberName(member);
  const refusals = refusalsOf(member);
  const isOwner = member.role === 'owner';
  const close = () => setConfirming(null);
  const protectedAction = { danger: true, needsCode: secondFactor, onClose: close };
  async function done(text: string): Promise<void> {
    close();
    await changed(text);
  }

  return (
    <>
      <RowMenu name={name}>
        <MenuItem
          icon={<Crown aria-hidden size={16} />}
          disabledReason={refusals['transfer']}
          onSelect={() => setConfirming('transfer')}
        >
          Transfer ownership…
        </MenuItem>
        <MenuItem
          icon={<KeyRound aria-hidden size={16} />}
          disabledReason={refusals.reset}
          onSelect={() => setConfirming('reset')}
        >
          Reset second factor…
        </MenuItem>
        <MenuItem
          icon={<LogOut aria-hidden size={16} />}
          disabledReason={refusals.end}
          onSelect={() => setConfirming('end')}
        >
          End sessions and tokens…
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          icon={<UserMinus aria-hidden size={16} />}
          danger
          disabledReason={refusals.remove}
          onSelect={() => setConfirming('remove')}
        >
          Remove…
        </MenuItem>
      </RowMenu>
      {confirming === 'transfer' && <TransferDialog member={member} onClose={close} />}{' '}
      {confirming === 'reset' && (
        <PasswordDialog
          {...protectedAction}
          title={`Reset the second factor of ${nameText(name)}?`}
          description="Their authenticator app and recovery codes stop working, and their password alone will be enough to log in. Make sure that the request really came from them."
          submitLabel="Reset"
          send={(password, code) => resetSecondFactor({ password, code })}
          onDone={() => done(`Second factor of ${nameText(name)} reset`)}
        />
      )}
      {confirming === 'end' && (
        <PasswordDialog
          {...protectedAction}
          title={`End the sessions and API tokens of ${nameText(name)}?`}
          description="They are logged out of this organization on every device, and their scripts lose access. They stay a member and can log in again."
          submitLabel="End sessions and tokens"
          send={(password, code) => endSessions({ password, code })}
          onDone={() => done(`Sessions and API tokens of ${nameText(name)} ended`)}
        />
      )}
      {confirming === 'remove' && isOwner && (
        <PasswordDialog
          {...protectedAction}
          title={`Remove ${nameText(name)}?`}
          description={removal}
          submitLabel="Remove"
          send={(password, code) => removeOwner({ password, code })}
          onDone={() => done(`${nameText(name)} removed`)}
        />
      )}
      <AlertDialog
        open={confirming === 'remove' && !isOwner}
        onOpenChange={close}
        title={`Remove ${nameText(name)}?`}
        description={removal}
        confirmLabel="Remove"
        danger
        onConfirm={remove}
      />
    </>
  );
}

/** Makes another member the owner, and the current owner an analyst. */
function TransferDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const queryClient = useQueryClient();
  const refresh = useRefreshAccount();
  const name = memberName(member);
  return (
    <PasswordDialog
      title={`Transfer ownership to ${nameText(name)}?`}
      description={`${nameText(name)} becomes an owner, and you become an analyst. You will no longer be able to manage members or the organization. Only an owner can make you an owner again.`}
      submitLabel="Transfer ownership"
      danger
      send={(password) =>
        call(organizations.transferOwnership, { body: { accountId: member._id, password } })
      }
      onDone={async () => {
        onClose();
        toast.success('Ownership transferred', `${nameText(name)} is now an owner, and you are an analyst.`);
        await refresh();
        queryClient.removeQueries({ queryKey: ['organization'] });
      }}
      onClose={onClose}
    />
  );
}
