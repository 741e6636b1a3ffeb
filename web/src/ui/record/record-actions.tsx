import { Download, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../button/button.tsx';
import { CopyButton } from '../button/copy-button.tsx';

interface RecordActionsProps {
  id: string;
  /** The way to its form. */
  edit: ReactNode;
  onDownload: () => void;
  onDelete: () => void;
  deleting: boolean;
  /** Why the person may not delete. */
  refusal: string | undefined;
}

/** What can be done with a record on its page. */
export function RecordActions({ id, edit, onDownload, onDelete, deleting, refusal }: RecordActionsProps) {
  return (
    <>
      <CopyButton text={id} label="Copy ID" />
      <Button icon={<Download aria-hidden size={14} />} onClick={onDownload}>
        Download
      </Button>
      <Button
        icon={<Trash2 aria-hidden size={14} />}
        busy={deleting}
        disabledReason={refusal}
        onClick={onDelete}
      >
        Delete
      </Button>
      {edit}
    </>
  );
}
