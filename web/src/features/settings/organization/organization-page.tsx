import { organizations, type Organization } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { membershipsQuery, organizationName, useUser } from '../../../lib/session/account.ts';
import { useSignedOut } from '../../../lib/session/use-session-change.ts';
import { nameText } from '../../../lib/format/name-text.ts';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { DeleteCard } from './delete-card.tsx';
import { DeletionProgress } from './deletion-progress.tsx';
import { PasswordDialog } from '../password-dialog.tsx';
import { Loaded } from '../loaded.tsx';
import { OrganizationForm } from './organization-form.tsx';
import { organizationQuery, useLastOwner } from '../queries.ts';
import { RecalculationRule } from './recalculation-rule.tsx';
import { SecondFactorRule } from './second-factor-rule.tsx';

/** Name and rules of the organization, and how to leave or delete it. */
export function OrganizationPage() {
  const query = useQuery(organizationQuery);
  const organization = query.data;
  if (organization === undefined) {
    return (
      <Card title="Organization">
        <Loaded query={query} failure="Failed to load the organization.">
          {() => null}
        </Loaded>
      </Card>
    );
  }
  if (organization.deletingSince !== null) return <DeletionProgress organization={organization} />;
  return (
    <>
      <OrganizationForm organization={organization} />
      <SecondFactorRule organization={organization} />
      <RecalculationRule organization={organization} />
      <LeaveCard organization={organization} />
      <DeleteCard organization={organization} />
    </>
  );
}

/** Lets the user leave the organization. */
function LeaveCard({ organization }: { organization: Organization }) {
  const lastOwner = useLastOwner(useUser());
  const { data: memberships } = useQuery(membershipsQuery);
  const signedOut = useSignedOut();
  const [asking, setAsking] = useState(false);
  const name = organizationName({ organization: organization.name });
  const account =
    memberships?.length === 1
      ? 'You belong to no other organization, so your account will be deleted.'
      : 'You keep your account and your other organizations.';

  return (
    <Card title="Leave">
      <div className="flex flex-col items-start gap-3 p-4">
        <p className="text-muted">
          You lose access immediately, and your API tokens for this organization end. Your uploads and edits
          are kept.
          {memberships !== undefined && ` ${account}`}
        </p>
        <ButtonWithReason disabledReason={lastOwner} onClick={() => setAsking(true)}>
          Leave organization
        </ButtonWithReason>
      </div>
      {asking && (
        <PasswordDialog
          title={`Leave ${nameText(name)}?`}
          description={`You lose access immediately. ${memberships === undefined ? '' : account}`}
          submitLabel="Leave"
          danger
          send={(password) => call(organizations.leave, { body: { password } })}
          onDone={() => signedOut({ notice: `You have left ${nameText(name)}.` })}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  );
}
