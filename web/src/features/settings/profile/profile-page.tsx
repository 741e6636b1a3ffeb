import { accounts } from '@riskboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { meQuery, useUser } from '../../../lib/session/account.ts';
import { call } from '../../../lib/api/call.ts';
import { roleDescriptions, roleNames } from '../../../lib/session/role-labels.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Input } from '../../../ui/input/input.tsx';
import { toast } from '../../../ui/feedback/toast.ts';
import { EmailCard } from './email-card.tsx';
import { Facts } from '../facts.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { OrganizationsCard } from './organizations-card.tsx';
import { UnsavedGuard } from '../../../ui/dialog/unsaved-guard.tsx';
import { useSubmit } from '../../../lib/hooks/use-submit.ts';

/** The user's name, email address, role and organizations. */
export function ProfilePage() {
  const user = useUser();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<{ firstName?: string; lastName?: string }>({});
  const firstName = draft.firstName ?? user.firstName;
  const lastName = draft.lastName ?? user.lastName;
  const changed = firstName !== user.firstName || lastName !== user.lastName;
  const submission = useSubmit(
    (schemas) => schemas.accounts.updateMe.body,
    (body) => call(accounts.updateMe, { body }),
    (reply) => {
      queryClient.setQueryData(meQuery.queryKey, reply.user);
      setDraft({});
      toast.success('Profile saved');
    },
  );

  return (
    <>
      <Card title="Profile">
        <div className="flex flex-col gap-5 p-4">
          <Form
            submission={submission}
            onSubmit={() => changed && submission.submit({ firstName, lastName })}
          >
            <div className="grid items-start gap-4 sm:grid-cols-2">
              <Input
                label="First name"
                name="firstName"
                autoComplete="given-name"
                required
                value={firstName}
                onChange={(text) => setDraft({ ...draft, firstName: text })}
                error={submission.errorAt('firstName')}
              />
              <Input
                label="Last name"
                optional
                name="lastName"
                autoComplete="family-name"
                value={lastName}
                onChange={(text) => setDraft({ ...draft, lastName: text })}
                error={submission.errorAt('lastName')}
              />
            </div>
            <div className="flex gap-2">
              <Button type="submit" variant="primary" disabled={!changed} busy={submission.busy}>
                Save
              </Button>
              {changed && !submission.busy && <Button onClick={() => setDraft({})}>Discard</Button>}
            </div>
          </Form>
          <hr />
          <Facts
            facts={[
              ['Email', user.email],
              ['Role', `${roleNames[user.role]}: ${roleDescriptions[user.role]}`],
            ]}
          />
        </div>
      </Card>
      <EmailCard />
      <OrganizationsCard />
      <UnsavedGuard when={changed} />
    </>
  );
}
