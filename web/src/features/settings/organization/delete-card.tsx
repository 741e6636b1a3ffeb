import { organizations, type Organization } from '@riskboard/contract';
import { isSameName, plural } from '@riskboard/domain';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { useSubmit } from '../../../lib/hooks/use-submit.ts';
import { organizationName } from '../../../lib/session/account.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { nameText, quoted } from '../../../lib/format/name-text.ts';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';
import { Input } from '../../../ui/input/input.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx';
import { OwnPasswordField } from '../own-password-field.tsx';
import { contentsQuery, deletionQuery, organizationQuery } from '../queries.ts';

/** Deletes the organization. */
export function DeleteCard({ organization }: { organization: Organization }) {
  const refusal = useRefusal(organizations.delete.access);
  const [asking, setAsking] = useState(false);
  return (
    <Card title="Delete">
      <div className="flex flex-col items-start gap-3 p-4">
        <p className="text-muted">
          Deletes the organization and all its data for every member. This cannot be undone.
        </p>
        <ButtonWithReason variant="danger" disabledReason={refusal} onClick={() => setAsking(true)}>
          Delete organization
        </ButtonWithReason>
      </div>
      {asking && <DeleteDialog organization={organization} onClose={() => setAsking(false)} />}
    </Card>
  );
}

interface DeleteDialogProps {
  organization: Organization;
  onClose: () => void;
}

/** Lists what will be deleted, and asks for the name of the organization and the password. */
function DeleteDialog({ organization, onClose }: DeleteDialogProps) {
  const queryClient = useQueryClient();
  const { data: contents } = useQuery(contentsQuery);
  const [typed, setTyped] = useState('');
  const [password, setPassword] = useState('');
  const name = organizationName({ organization: organization.name });
  const submission = useSubmit(
    (schemas) => schemas.organizations.delete.body,
    (body) => call(organizations.delete, { body }),
    async () => {
      onClose();
      await Promise.all(
        [organizationQuery, deletionQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })),
      );
    },
  );
  const consequences = [
    contents === undefined
      ? 'All reports and the records extracted from them'
      : `${plural(contents.files, 'report')}, ${plural(contents.vulnerabilities, 'vulnerability', 'vulnerabilities')} and ${plural(contents.threats, 'threat')}`,
    'All other records, jobs, scores and the activity log',
    `The access of ${plural(organization.members, 'member')}, all invitations and all API tokens`,
    'Accounts of members who belong to no other organization',
  ];

  return (
    <FormDialog
      title={`Delete ${nameText(name)}?`}
      description="This cannot be undone. All members are logged out immediately, and this data is deleted:"
      submitLabel="Delete everything"
      danger
      disabled={!isSameName(typed, name) || password === ''}
      submission={submission}
      onSubmit={() => submission.submit({ name: typed, password })}
      onClose={onClose}
    >
      <ul className="list-disc pl-5 text-sm">
        {consequences.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <Input
        label={`Type ${quoted(name)} to confirm`}
        name="confirmation"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        onChange={setTyped}
        error={submission.errorAt('name')}
      />
      <OwnPasswordField value={password} onChange={setPassword} error={submission.errorAt('password')} />
    </FormDialog>
  );
}
