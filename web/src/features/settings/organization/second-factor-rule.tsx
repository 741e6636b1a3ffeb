import { organizations, roles, type Organization } from '@riskboard/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { plural } from '../../../lib/format/format.ts';
import { useUser } from '../../../lib/session/use-user.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { AlertDialog } from '../../../ui/dialog/alert-dialog.tsx';
import { Switch } from '../../../ui/input/switch.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { attempt } from '../attempt.ts';
import { membersQuery, organizationQuery, useRefreshAccount } from '../queries.ts';

/** What the rule means for those who have no second factor now. */
function meaningFor(without: number | undefined): string {
  if (without === 0) return 'Every member has one already.';
  const rest = 'must set one up before they can go on.';
  if (without === undefined) return `Members who have none ${rest}`;
  return `${plural(without, 'member has', 'members have')} none and ${rest}`;
}

/** Whether everybody in the organisation must sign in with a second factor. */
export function SecondFactorRule({ organization }: { organization: Organization }) {
  const user = useUser();
  const refusal = useRefusal(organizations.update.access);
  const queryClient = useQueryClient();
  const refreshAccount = useRefreshAccount();
  const [asking, setAsking] = useState(false);
  const { data: without } = useQuery({
    ...membersQuery,
    enabled: user.role === roles.at(-1),
    select: (members) => members.filter(({ secondFactor }) => !secondFactor).length,
  });
  const required = organization.requireSecondFactor;
  const own =
    required || user.secondFactor ? undefined : 'Set up a second factor of your own first, under Security.';

  async function require(on: boolean): Promise<void> {
    await attempt(
      async () => {
        const saved = await call(organizations.update, { body: { requireSecondFactor: on } });
        queryClient.setQueryData(organizationQuery.queryKey, saved);
      },
      {
        done: on ? 'A second factor is required now' : 'A second factor is no longer required',
        failure: 'The rule was not changed',
      },
    );
    await Promise.all([refreshAccount(), queryClient.invalidateQueries({ queryKey: ['accounts'] })]);
  }

  return (
    <Card title="Rules">
      <div className="p-4">
        <Switch
          label="Require a second factor"
          description={
            required
              ? `Nobody works here without one. ${meaningFor(without)}`
              : `Members then sign in with a code besides their password. ${meaningFor(without)}`
          }
          checked={required}
          onChange={(on) => (on ? setAsking(true) : void require(false))}
          disabledReason={refusal ?? own}
        />
      </div>
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        title="Require a second factor of everybody?"
        description={`From now on nobody works in this organization without one. ${meaningFor(without)}`}
        confirmLabel="Require it"
        onConfirm={() => require(true)}
      />
    </Card>
  );
}
