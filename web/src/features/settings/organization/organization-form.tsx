import { organizations, type Organization } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { formatDate } from '../../../lib/format/format.ts';
import { useSubmit } from '../../../lib/hooks/use-submit.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { UnsavedGuard } from '../../../ui/dialog/unsaved-guard.tsx';
import { toast } from '../../../ui/feedback/toast.ts';
import { Form } from '../../../ui/form/form.tsx';
import { Input } from '../../../ui/input/input.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Facts } from '../facts.tsx';
import { organizationQuery, useRefreshAccount } from '../queries.ts';

/** Name and facts of the organization; owners can rename it. */
export function OrganizationForm({ organization }: { organization: Organization }) {
  const refusal = useRefusal(organizations.update.access);
  const queryClient = useQueryClient();
  const refreshAccount = useRefreshAccount();
  const [draft, setDraft] = useState<string>();
  const name = draft ?? organization.name;
  const changed = name !== organization.name;
  const submission = useSubmit(
    (schemas) => schemas.organizations.update.body,
    (body) => call(organizations.update, { body }),
    async (saved) => {
      queryClient.setQueryData(organizationQuery.queryKey, saved);
      setDraft(undefined);
      toast.success('Organization saved');
      await refreshAccount();
    },
  );

  return (
    <Card title="Organization">
      <div className="flex flex-col gap-5 p-4">
        <Form submission={submission} onSubmit={() => changed && submission.submit({ name })}>
          <div className="max-w-120">
            <Input
              label="Name"
              name="organization"
              autoComplete="organization"
              placeholder="Organization not set"
              readOnly={refusal !== undefined}
              value={name}
              onChange={setDraft}
              error={submission.errorAt('name')}
              hint={refusal}
            />
          </div>
          <div className="flex gap-2">
            <ButtonWithReason
              type="submit"
              variant="primary"
              disabled={!changed}
              disabledReason={refusal}
              busy={submission.busy}
            >
              Save
            </ButtonWithReason>
            {changed && !submission.busy && <Button onClick={() => setDraft(undefined)}>Discard</Button>}
          </div>
        </Form>
        <hr />
        <Facts
          facts={[
            ['Members', formatCount(organization.members)],
            ['Created', formatDate(organization.createdAt)],
          ]}
        />
      </div>
      <UnsavedGuard when={changed} />
    </Card>
  );
}
