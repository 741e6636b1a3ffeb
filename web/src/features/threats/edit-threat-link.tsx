import { threats } from '@riskboard/contract';
import { Pencil } from 'lucide-react';
import { useRefusal } from '../../lib/write-refusal.ts';
import { LinkButton } from '../../ui/button/link-button.tsx';

interface EditLinkProps {
  id: string;
  primary?: boolean;
  label?: string;
}

/** The way to the form of a threat. */
export function EditThreatLink({ id, primary = false, label = 'Edit' }: EditLinkProps) {
  return (
    <LinkButton
      to="/dashboard/threats/$id/edit"
      params={{ id }}
      variant={primary ? 'primary' : 'secondary'}
      icon={<Pencil aria-hidden size={14} />}
      disabledReason={useRefusal(threats.update.access)}
    >
      {label}
    </LinkButton>
  );
}
