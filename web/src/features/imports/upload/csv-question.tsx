import { entities, importNouns, imports, type ImportNoun } from '@riskboard/contract';
import { useLocation, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useStore } from '../../../lib/browser/store.ts';
import { capitalized } from '../../../lib/entity/messages.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { nameText } from '../../../lib/format/name-text.ts';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { importPages } from '../import-search.ts';
import { csvToUpload, droppedCsv } from './csv-drop-state.ts';

/** Asks what a CSV file holds that was dropped on a page, and opens its import. */
export function CsvQuestion() {
  const file = useStore(droppedCsv);
  const router = useRouter();
  const refusal = useRefusal(imports.upload.access);

  // The page that uploads a file of one noun needs no answer.
  const isUploadPage = useLocation({
    select: ({ pathname, search }) =>
      Object.values<string>(importPages).includes(pathname) && !('import' in search),
  });
  useEffect(() => {
    if (file === null || !isUploadPage) return;
    droppedCsv.set(null);
    csvToUpload.set(file);
  }, [file, isUploadPage]);

  function open(noun: ImportNoun): void {
    droppedCsv.set(null);
    csvToUpload.set(file);
    router.history.push(importPages[noun]);
  }

  return (
    <Dialog
      open={file !== null && !isUploadPage}
      onOpenChange={(isOpen) => !isOpen && droppedCsv.set(null)}
      title="Import a CSV file"
      description={`What does ${file ? nameText(file.name) : 'the file'} contain?`}
      footer={
        <>
          <Button onClick={() => droppedCsv.set(null)}>Cancel</Button>
          {importNouns.map((noun) => (
            <ButtonWithReason key={noun} disabledReason={refusal} onClick={() => open(noun)}>
              {capitalized(entities[noun].many)}
            </ButtonWithReason>
          ))}
        </>
      }
    >
      <p className="text-sm text-muted">
        {refusal ?? 'Nothing is written before you have seen a preview and a dry run.'}
      </p>
    </Dialog>
  );
}
