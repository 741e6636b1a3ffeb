import { organizations, type Member } from '@riskboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { Crown, EllipsisVertical, KeyRound, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { IconButton } from '../../../ui/button/icon-button.tsx';
import { AlertDialog } from '../../../ui/dialog/alert-dialog.tsx';
import { toast } from '../../../ui/feedback/toast.ts';
import { MenuItem, MenuSeparator, Menu } from '../../../ui/popup/menu.tsx';
import { PasswordDialog } from '../form-dialog.tsx';
import { useRefreshAccount } from '../queries.ts';
import { personName, useMemberActions } from './use-member-actions.ts';

type Question = 'hand-over' | 'reset' | 'remove';

/** Reasons why an action on a member is not open. */
function refusalsOf(member: Member): Partial<Record<Question, string>> {
  return {
    ...(member.self && {
      'hand-over': 'You are an owner already.',
      reset: 'Turn it off in your security settings.',
      remove: 'To go yourself, leave the organization.',
    }),
    ...(!member.self && !member.secondFactor && { reset: 'There is none to reset.' }),
  };
}

/** What an owner can do with a member. */
export function MemberMenu({ member }: { member: Member }) {
  const [question, setQuestion] = useState<Question | null>(null);
  const { resetSecondFactor, remove } = useMemberActions(member);
  const name = personName(member);
  const refusals = refusalsOf(member);
  const close = () => setQuestion(null);

  return (
    <>
      <Menu
        trigger={
          <IconButton label={`Actions for ${name}`} icon={<EllipsisVertical aria-hidden size={16} />} />
        }
      >
        <MenuItem
          icon={<Crown aria-hidden size={16} />}
          disabledReason={refusals['hand-over']}
          onSelect={() => setQuestion('hand-over')}
        >
          Hand over ownership…
        </MenuItem>
        <MenuItem
          icon={<KeyRound aria-hidden size={16} />}
          disabledReason={refusals.reset}
          onSelect={() => setQuestion('reset')}
        >
          Reset second factor…
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          icon={<UserMinus aria-hidden size={16} />}
          danger
          disabledReason={refusals.remove}
          onSelect={() => setQuestion('remove')}
        >
          Remove…
        </MenuItem>
      </Menu>
      {question === 'hand-over' && <HandOverDialog member={member} onClose={close} />}{' '}
      <AlertDialog
        open={question === 'reset'}
        onOpenChange={close}
        title={`Reset the second factor of ${name}?`}
        description="Their authenticator app and recovery codes stop working, and their password alone is enough to sign in. Make sure that it is really them who asked."
        confirmLabel="Reset"
        danger
        onConfirm={resetSecondFactor}
      />
      <AlertDialog
        open={question === 'remove'}
        onOpenChange={close}
        title={`Remove ${name}?`}
        description="They lose access at once: their sessions and API tokens here end. What they have uploaded and edited stays. If they belong to no other organization, their account is deleted."
        confirmLabel="Remove"
        danger
        onConfirm={remove}
      />
    </>
  );
}

/** Makes another member the owner in one's own place. */
function HandOverDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const queryClient = useQueryClient();
  const refresh = useRefreshAccount();
  const name = personName(member);
  return (
    <PasswordDialog
      title={`Hand over ownership to ${name}?`}
      description={`${name} becomes an owner, and you become an analyst. You can then no longer manage members or the organization; only an owner can make you one again.`}
      submitLabel="Hand over"
      danger
      send={(password) => call(organizations.handOver, { body: { accountId: member._id, password } })}
      onDone={async () => {
        onClose();
        toast.success('Ownership handed over', `${name} is now an owner, and you are an analyst.`);
        await refresh();
        queryClient.removeQueries({ queryKey: ['organization'] });
      }}
      onClose={onClose}
    />
  );
}
