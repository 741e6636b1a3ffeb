import { Button } from '../../ui/button/button.tsx';
import { CodeBlock } from '../../ui/text/code-block.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';

interface InvitationLinkDialogProps {
  email: string;
  link: string;
  onClose: () => void;
}

/** The link of a fresh invitation, shown this once. */
export function InvitationLinkDialog({ email, link, onClose }: InvitationLinkDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Invitation sent"
      description={`An email to ${email} is on its way. You can also pass this link on yourself. It is not shown again, and it works for this address only.`}
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
