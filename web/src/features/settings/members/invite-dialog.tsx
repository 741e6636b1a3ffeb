import { invitations, type Reply, type Role } from '@riskboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { useSubmit } from '../../../lib/hooks/use-submit.ts';
import { roleItems } from '../../../lib/session/role-labels.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Input } from '../../../ui/input/input.tsx';
import { RadioList } from '../../../ui/input/radio-list.tsx';
import { CodeBlock } from '../../../ui/text/code-block.tsx';
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx';
import { OwnPasswordField } from '../own-password-field.tsx';
import { invitationsQuery } from '../queries.ts';

/** Creates an invitation, which a mail server sends by email, then shows its link. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('analyst');
  const [password, setPassword] = useState('');
  const [made, setMade] = useState<Invited>();
  const submission = useSubmit(
    (schemas) => schemas.invitations.create.body,
    (body) => call(invitations.create, { body }),
    async (invitation) => {
      setMade(invitation);
      await queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey });
    },
  );

  if (made !== undefined) return <InvitationLinkDialog invitation={made} onClose={onClose} />;
  return (
    <FormDialog
      title="Invite member"
      description="The link of the invitation is valid for 7 days. With a mail server, they also get it by email."
      submitLabel="Send invitation"
      submission={submission}
      onSubmit={() => submission.submit({ email: email.trim(), role, ...(role === 'owner' && { password }) })}
      onClose={onClose}
    >
      <Input
        label="Email"
        type="email"
        name="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={email}
        onChange={setEmail}
        error={submission.errorAt('email')}
      />
      <RadioList label="Role" items={roleItems} value={role} onChange={setRole} />
      {role === 'owner' && (
        <OwnPasswordField value={password} onChange={setPassword} error={submission.errorAt('password')} />
      )}
    </FormDialog>
  );
}

type Invited = Reply<typeof invitations.create>;

function shareText(email: string, notMailed: Invited['notMailed']): string {
  if (notMailed === 'no-mail-server')
    return 'No mail server is set up, so no email was sent. Share this link yourself.';
  if (notMailed === 'many-invitations')
    return `We sent no email, because ${email} has had several invitations in the last minutes. Share this link yourself.`;
  return `We sent an email to ${email}. You can also share this link yourself.`;
}

interface InvitationLinkDialogProps {
  invitation: Pick<Invited, 'email' | 'link' | 'notMailed'>;
  onClose: () => void;
}

/** Shows the link of a new invitation, once. */
export function InvitationLinkDialog({
  invitation: { email, link, notMailed },
  onClose,
}: InvitationLinkDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={notMailed === null ? 'Invitation sent' : 'Invitation created'}
      description={`${shareText(email, notMailed)} It works for this address only and is not shown again.`}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <CodeBlock label="Link" text={link} copyLabel="Copy link" />
    </Dialog>
  );
}
