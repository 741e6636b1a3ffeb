import { entities, imports, type CsvImport, type ImportCounts } from '@riskboard/contract';
import { formatCount, plural } from '@riskboard/domain';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { AlertDialog } from '../../../ui/dialog/alert-dialog.tsx';
import { ActionBar } from '../../../ui/layout/action-bar.tsx';
import { choicesOf, planOf } from '../columns/plan.ts';
import { records } from '../import-labels.ts';
import type { ImportSearch, OnImportSearch } from '../import-search.ts';
import { useImportActions } from '../run/use-import-actions.ts';
import { RowsReport } from './rows-card.tsx';

interface CheckStepProps {
  csv: CsvImport & { counts: ImportCounts };
  search: ImportSearch;
  onSearch: OnImportSearch;
}

/** Third step: what the dry run found, and the import. */
export function CheckStep({ csv, search, onSearch }: CheckStepProps) {
  const [isAsking, setIsAsking] = useState(false);
  const role = useRefusal(imports.start.access);
  const { start, busy } = useImportActions(csv);
  const { created, updated, failed } = csv.counts;
  const written = created + updated;
  const refusal = role ?? (written === 0 ? 'No row would create or update a record.' : undefined);
  return (
    <div className="flex flex-col gap-4">
      {warningsOf(csv.counts).map((text) => (
        <Notice key={text} tone="warning">
          {text}
        </Notice>
      ))}
      <RowsReport csv={csv} search={search} onSearch={onSearch} />
      <ActionBar
        note={
          refusal ??
          (failed === 0
            ? 'No problems found. Nothing is written yet.'
            : `${plural(failed, 'row')} with problems will be left out. Nothing is written yet.`)
        }
      >
        <Button
          icon={<ArrowLeft aria-hidden size={14} />}
          onClick={() => onSearch({ import: csv._id, step: 'columns' })}
        >
          Columns
        </Button>
        <ButtonWithReason
          variant="primary"
          busy={busy}
          disabledReason={refusal}
          onClick={() => setIsAsking(true)}
        >
          Import {plural(written, 'row')}
        </ButtonWithReason>
      </ActionBar>
      <AlertDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={`Import ${plural(written, 'row')}?`}
        description={questionOf(csv)}
        confirmLabel={`Import ${plural(written, 'row')}`}
        onConfirm={() => start(planOf(csv, choicesOf(csv, {})))}
      />
    </div>
  );
}

/** Rows that can be imported and are likely to be a mistake. */
function warningsOf({ sharedCve = 0, fixDateUnfixed = 0 }: ImportCounts): string[] {
  return [
    sharedCve > 0 &&
      `${plural(sharedCve, 'row has', 'rows have')} the CVE of an existing vulnerability and would create a new one. Find existing vulnerabilities by CVE to update instead.`,
    fixDateUnfixed > 0 &&
      `${plural(fixDateUnfixed, 'row has', 'rows have')} a fix date without the status Fixed. A fix date is the day of the fix, not a deadline.`,
  ].filter((text) => text !== false);
}

/** What the import does, with the counts of the dry run. */
function questionOf({
  noun,
  counts: { created, updated, unchanged, failed },
}: CheckStepProps['csv']): string {
  const parts = [
    created > 0 && `${records(noun, created)} will be created.`,
    updated > 0 && `${records(noun, updated)} will be updated.`,
    unchanged > 0 && `${formatCount(unchanged)} ${unchanged === 1 ? 'is' : 'are'} unchanged.`,
    failed > 0 && `${plural(failed, 'row')} with problems will be left out.`,
    `If ${entities[noun].many} change meanwhile, the counts may differ. You can undo the import.`,
  ];
  return parts.filter((part) => part !== false).join(' ');
}
