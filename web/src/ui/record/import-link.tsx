import type { ImportNoun } from '@riskboard/contract';
import { FileUp } from 'lucide-react';
import { useRefusal } from '../../lib/session/use-refusal.ts';
import { LinkButton } from '../button/link-button.tsx';

interface ImportLinkProps {
  noun: ImportNoun;
  /** Project of rows without one, unless the user chooses another. */
  projectId?: string;
}

/** Leads to the CSV import of a noun. */
export function ImportLink({ noun, projectId }: ImportLinkProps) {
  return (
    <LinkButton
      to={`/dashboard/${noun}/import`}
      search={{ project: projectId }}
      icon={<FileUp aria-hidden size={16} />}
      // The role of the upload; its declaration would add the tables of the import to every list.
      disabledReason={useRefusal('analyst')}
    >
      Import CSV
    </LinkButton>
  );
}
