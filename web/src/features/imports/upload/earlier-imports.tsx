import { entities, importDays, type CsvImport, type ImportNoun } from '@riskboard/contract';
import { plural } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileClock } from 'lucide-react';
import { Badge } from '../../../ui/badge/badge.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import type { HowChanged } from '../../../ui/list/list-control.ts';
import { Pager } from '../../../ui/list/pager.tsx';
import { useLastPage } from '../../../ui/list/use-last-page.ts';
import { PlainTable, type PlainColumn } from '../../../ui/table/plain-table.tsx';
import { FileNameText } from '../../../ui/text/file.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { countsText, isWritten, stateLooks, undoText } from '../import-labels.ts';
import { importPages } from '../import-search.ts';
import { earlierPerPage, importsQuery } from '../queries.ts';
import { DeleteImport } from '../run/delete-import.tsx';

interface EarlierImportsProps {
  noun: ImportNoun;
  page: number;
  onPage: (page: number, how?: HowChanged) => void;
}

/** The imports of a noun with their state; each leads to its report. */
export function EarlierImports({ noun, page, onPage }: EarlierImportsProps) {
  const query = useQuery(importsQuery(noun, page));
  const total = query.data?.total ?? 0;
  useLastPage(
    { page, pageSize: earlierPerPage, total: query.isPlaceholderData ? undefined : query.data?.total },
    (last) => onPage(last, { replace: true }),
  );
  return (
    <Card title="Earlier imports">
      <PlainTable
        label="Earlier imports"
        columns={columnsOf(noun)}
        rowId={({ _id }) => _id}
        query={{ data: query.data?.imports, error: query.error, refetch: query.refetch }}
        failure="Failed to load earlier imports."
        total={total}
        empty={
          <EmptyState
            icon={<FileClock aria-hidden size={20} />}
            title="No imports yet."
            description={`CSV imports of ${entities[noun].many} are listed here for ${importDays} days.`}
          />
        }
      />
      {total > earlierPerPage && (
        <div className="border-t">
          <Pager
            page={page}
            pageSize={earlierPerPage}
            pageSizes={[earlierPerPage]}
            total={total}
            onPage={onPage}
            onPageSize={() => undefined}
          />
        </div>
      )}
    </Card>
  );
}

/** What became of the rows, as far as the import has gone. */
function resultText({ state, counts, undo, rows, error }: CsvImport): string {
  if (error !== null) return error;
  if (undo !== null) return undoText(undo);
  if (counts === null) return plural(rows, 'row');
  const text = countsText(counts, { isWritten: isWritten(state) });
  return isWritten(state) ? text : `Dry run: ${text}`;
}

function columnsOf(noun: ImportNoun): PlainColumn<CsvImport>[] {
  return [
    {
      label: 'File',
      rowHeader: true,
      cell: ({ _id, fileName }) => (
        <Link
          to={importPages[noun]}
          search={{ import: _id }}
          className="font-medium wrap-anywhere whitespace-normal hover:text-accent-text hover:underline"
        >
          <FileNameText name={fileName} />
        </Link>
      ),
    },
    {
      label: 'State',
      width: 184,
      cell: ({ state }) => <Badge tone={stateLooks[state].tone}>{stateLooks[state].label}</Badge>,
    },
    {
      label: 'Result',
      from: 'md',
      width: 304,
      cell: (csv) => (
        <span className="line-clamp-2 text-sm whitespace-normal text-muted tabular-nums">
          {resultText(csv)}
        </span>
      ),
    },
    { label: 'Uploaded', from: 'sm', cell: ({ createdAt }) => <Time value={createdAt} /> },
    {
      label: 'By',
      from: 'md',
      width: 152,
      cell: ({ createdBy }) => createdBy || <span className="text-muted">Removed member</span>,
    },
    {
      label: 'Actions',
      hideLabel: true,
      last: true,
      width: 72,
      align: 'right',
      cell: (csv) => <DeleteImport csv={csv} isIcon />,
    },
  ];
}
