import { organizations, roles, type Organization } from '@riskboard/contract';
import { plural } from '@riskboard/domain';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { useUser } from '../../../lib/session/account.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { AlertDialog } from '../../../ui/dialog/alert-dialog.tsx';
import { Switch } from '../../../ui/input/switch.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { attempt } from '../../../ui/feedback/attempt.ts';
import { toast } from '../../../ui/feedback/toast.ts';
import { PasswordDialog } from '../password-dialog.tsx';
import { membersQuery, organizationQuery, useRefreshAccount } from '../queries.ts';

/** How the rule affects members without a second factor. */
function meaningFor(without: number | undefined): string {
  if (without === 0) return 'All members already have one.';
  const rest = 'must set one up before they can continue.';
  if (without === undefined) return `Members without one ${rest}`;
  return `${plural(without, 'member', 'members')} without one ${rest}`;
}

/** Switch for the rule that all members must log in with a second factor. */
export function SecondFactorRule({ organization }: { organization: Organization }) {
  const user = useUser();
  const refusal = useRefusal(organizations.update.access);
  const queryClient = useQueryClient();
  const refreshAccount = useRefreshAccount();
  const [asking, setAsking] = useState<'on' | 'off' | null>(null);
  const close = () => setAsking(null);
  const { data: without } = useQuery({
    ...membersQuery,
    enabled: user.role === roles.at(-1),
    select: (members) => members.filter(({ secondFactor }) => !secondFactor).length,
  });
  const required = organization.requireSecondFactor;
  const own =
    required || user.secondFactor ? undefined : 'Set up your own second factor first, under Security.';

  async function show(stored: Organization): Promise<void> {
    queryClient.setQueryData(organizationQuery.queryKey, stored);
    await Promise.all([refreshAccount(), queryClient.invalidateQueries({ queryKey: ['accounts'] })]);
  }

  async function requireIt(): Promise<void> {
    await attempt(
      async () => show(await call(organizations.update, { body: { requireSecondFactor: true } })),
      { done: 'Second factor now required', failure: 'Failed to change the rule' },
    );
  }

  return (
    <Card title="Rules">
      <div className="p-4">
        <Switch
          label="Require a second factor"
          description={
            required
              ? `Members need one to use this organization. ${meaningFor(without)}`
              : `Members log in with an authenticator code in addition to their password. ${meaningFor(without)}`
          }
          checked={required}
          onChange={(on) => setAsking(on ? 'on' : 'off')}
          disabledReason={refusal ?? own}
        />
      </div>
      <AlertDialog
        open={asking === 'on'}
        onOpenChange={close}
        title="Require a second factor for all members?"
        description={`Members without one lose access until they set one up. ${meaningFor(without)}`}
        confirmLabel="Require second factor"
        onConfirm={requireIt}
      />
      {asking === 'off' && (
        <PasswordDialog
          title="Stop requiring a second factor?"
          description="Members without one can use this organization, and the others can turn theirs off."
          submitLabel="Stop requiring it"
          danger
          needsCode={user.secondFactor}
          send={(password, code) =>
            call(organizations.update, { body: { requireSecondFactor: false, password, code } })
          }
          onDone={async (stored) => {
            close();
            toast.success('Second factor no longer required');
            await show(stored);
          }}
          onClose={close}
        />
      )}
    </Card>
  );
}
