import type { ReportFile } from '@riskboard/contract';
import { useState } from 'react';
import { AlertDialog } from '../../ui/dialog/alert-dialog.tsx';
import { extractions, type Extraction } from './extraction.ts';
import { useFileActions } from './use-file-actions.ts';

interface ExtractDialogProps {
  file: ReportFile;
  /** Null: closed. */
  extraction: Extraction | null;
  onClose: () => void;
}

/** Asks before an extraction (spec 2, Confirmation dialogs). The work goes on behind it; a toast tells the end. */
export function ExtractDialog({ file, extraction, onClose }: ExtractDialogProps) {
  const actions = useFileActions();
  const [shown, setShown] = useState<Extraction>('both');
  // Keeps its words while it fades out.
  if (extraction !== null && extraction !== shown) setShown(extraction);
  const { action, noun } = extractions[shown];
  return (
    <AlertDialog
      open={extraction !== null}
      onOpenChange={(open) => !open && onClose()}
      title={action}
      description={`This will extract ${noun} from ${file.originalFilename}. This process may take a few moments.`}
      confirmLabel="Extract"
      onConfirm={() => void actions.extract(file, shown)}
    />
  );
}
