import { entities, imports, type CsvImport } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';
import { AlertDialog } from '../../../ui/dialog/alert-dialog.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { countsText, records, undoText } from '../import-labels.ts';
import type { ImportSearch, OnImportSearch } from '../import-search.ts';
import { useImportActions } from '../run/use-import-actions.ts';
import { RowsReport } from './rows-card.tsx';

interface ImportStepProps {
  csv: CsvImport;
  search: ImportSearch;
  onSearch: OnImportSearch;
}

/** Last step: the outcome of each row, and the undo. */
export function ImportStep({ csv, search, onSearch }: ImportStepProps) {
  const { state, counts, undo, error } = csv;
  return (
    <div className="flex flex-col gap-4">
      {error !== null && (
        <div role="alert">
          <Notice tone="warning">The undo failed, and nothing was changed: {error}</Notice>
        </div>
      )}
      {state === 'undone' && (
        <Notice>
          This import was undone{undo !== null && `: ${undoText(undo)}`}.
          {undo !== null && undo.kept > 0 && ' Records that were changed after the import keep their values.'}
        </Notice>
      )}
      {state === 'imported' && counts !== null && (
        <div className="flex flex-wrap items-center justify-between gap-3 rounded border bg-surface px-4 py-3">
          <p className="text-sm">
            <span className="font-medium">Import finished</span>{' '}
            <span className="text-muted tabular-nums">{countsText(counts, { isWritten: true })}</span>
          </p>
          <UndoButton csv={csv} />
        </div>
      )}
      <RowsReport csv={csv} search={search} onSearch={onSearch} />
    </div>
  );
}

function UndoButton({ csv }: { csv: CsvImport }) {
  const [isAsking, setIsAsking] = useState(false);
  const role = useRefusal(imports.undo.access);
  const { undo, busy } = useImportActions(csv);
  const { created = 0, updated = 0 } = csv.counts ?? {};
  const refusal = role ?? (created + updated === 0 ? 'The import changed nothing.' : undefined);
  return (
    <>
      <ButtonWithReason
        icon={<Undo2 aria-hidden size={14} />}
        busy={busy}
        disabledReason={refusal}
        onClick={() => setIsAsking(true)}
      >
        Undo import
      </ButtonWithReason>
      <AlertDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title="Undo this import?"
        description={questionOf(csv.noun, { created, updated })}
        confirmLabel="Undo import"
        danger
        onConfirm={undo}
      />
    </>
  );
}

function questionOf(
  noun: CsvImport['noun'],
  { created, updated }: { created: number; updated: number },
): string {
  const { many } = entities[noun];
  const parts = [
    created > 0 && `${records(noun, created)} that the import created will be deleted.`,
    updated > 0 &&
      `${formatCount(updated)} updated ${updated === 1 ? entities[noun].one : many} will get their former values back.`,
    'Values that someone changed after the import are kept and reported.',
  ];
  return parts.filter((part) => part !== false).join(' ');
}
