import { organizations, type Organization } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { membershipsQuery } from '../../lib/session/account.ts';
import { call } from '../../lib/api/call.ts';
import { organizationName } from '../../lib/session/organization-name.ts';
import { useSignedOut } from '../../lib/session/use-signed-out.ts';
import { useUser } from '../../lib/session/use-user.ts';
import { Button } from '../../ui/button/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { PasswordDialog } from './lazy-password-dialog.tsx';
import { useLastOwner } from './use-last-owner.ts';

/** The way out for one member. */
export function LeaveCard({ organization }: { organization: Organization }) {
  const lastOwner = useLastOwner(useUser());
  const { data: memberships } = useQuery(membershipsQuery);
  const signedOut = useSignedOut();
  const [asking, setAsking] = useState(false);
  const name = organizationName({ organization: organization.name });
  const account =
    memberships?.length === 1
      ? 'You belong to no other organization: your account is deleted with it.'
      : 'You keep your account and your other organizations.';

  return (
    <Card title="Leave">
      <div className="flex flex-col items-start gap-3 p-4">
        <p className="text-muted">
          You lose access at once, and your API tokens here end. What you have uploaded and edited stays.
          {memberships !== undefined && ` ${account}`}
        </p>
        <Button disabledReason={lastOwner} onClick={() => setAsking(true)}>
          Leave organization
        </Button>
      </div>
      {asking && (
        <Suspense>
          <PasswordDialog
            title={`Leave ${name}?`}
            description={`You lose access at once. ${memberships === undefined ? '' : account}`}
            submitLabel="Leave"
            danger
            send={(password) => call(organizations.leave, { body: { password } })}
            onDone={() => signedOut({ notice: `You have left ${name}.` })}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </Card>
  );
}
