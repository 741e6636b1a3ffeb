import { organizations, type Member } from '@riskboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';
import { toast } from '../../ui/feedback/toast.ts';
import { PasswordDialog } from './password-dialog.tsx';
import { personName } from './person-name.ts';
import { useRefreshAccount } from './use-refresh-account.ts';

/** Makes another member the owner in one's own place. */
export function HandOverDialog({ member, onClose }: { member: Member; onClose: () => void }) {
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
