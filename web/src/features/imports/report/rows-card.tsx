import { importColumnLabel, imports, type CsvImport, type ImportRow } from '@riskboard/contract';
import { plural } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download, ListChecks } from 'lucide-react';
import { addressOf } from '../../../lib/api/call.ts';
import { pagesOf } from '../../../lib/entity/entity.ts';
import { capitalized } from '../../../lib/entity/messages.ts';
import { dataPageSizes } from '../../../lib/list/list-state.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { ApiLink } from '../../../ui/button/api-link.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Pager } from '../../../ui/list/pager.tsx';
import { useLastPage } from '../../../ui/list/use-last-page.ts';
import { PlainTable, type PlainColumn } from '../../../ui/table/plain-table.tsx';
import { actionLooks, isWritten } from '../import-labels.ts';
import type { ImportSearch, OnImportSearch, RowFilter } from '../import-search.ts';
import { rowsQuery } from '../queries.ts';
import { RowTiles } from './row-tiles.tsx';

interface RowsCardProps {
  csv: CsvImport;
  search: ImportSearch;
  onSearch: OnImportSearch;
}

/** Rows with a problem are of most interest. */
const filterOf = ({ counts, undo }: CsvImport, { rows }: ImportSearch): RowFilter => {
  if (rows !== undefined) return rows;
  if ((undo?.kept ?? 0) > 0) return 'kept';
  return (counts?.failed ?? 0) > 0 ? 'failed' : 'all';
};

/** The outcome of each row, filtered by it, with the reason and the record. */
export function RowsReport({ csv, search, onSearch }: RowsCardProps) {
  const { counts, undo, _id: id } = csv;
  const filter = filterOf(csv, search);
  const { page, pageSize } = search;
  const action = filter === 'all' ? {} : { action: filter };
  const query = useQuery(rowsQuery(id, { ...action, page, pageSize }));
  useLastPage({ page, pageSize, total: query.isPlaceholderData ? undefined : query.data?.total }, (last) =>
    onSearch({ ...search, page: last }, { replace: true }),
  );
  if (counts === null) return null;
  const total = query.data?.total ?? 0;
  const looks = actionLooks(csv);
  const [one, many] = filter === 'all' ? (['row', 'rows'] as const) : looks[filter].rows;

  return (
    <>
      <RowTiles
        counts={counts}
        undo={undo}
        looks={looks}
        value={filter}
        onChange={(rows) => onSearch({ ...search, rows, page: 1 })}
      />
      <Card
        title={filter === 'all' ? 'All rows' : capitalized(many)}
        actions={
          total > 0 && (
            <ApiLink
              href={addressOf(imports.rowsExport, { params: { id }, query: action })}
              download=""
              size="sm"
              icon={<Download aria-hidden size={14} />}
            >
              {plural(total, one, many)} as CSV
            </ApiLink>
          )
        }
      >
        <PlainTable
          label="Rows of the file"
          columns={columnsOf(csv)}
          rowId={({ line }) => String(line)}
          query={{ data: query.data?.rows, error: query.error, refetch: query.refetch }}
          failure="Failed to load the rows."
          total={total}
          skeletonRows={pageSize}
          empty={<EmptyState icon={<ListChecks aria-hidden size={20} />} title={`No ${many}.`} />}
        />
        {total > 0 && (
          <div className="border-t">
            <Pager
              page={page}
              pageSize={pageSize}
              pageSizes={dataPageSizes}
              total={total}
              onPage={(next) => onSearch({ ...search, page: next })}
              onPageSize={(size) => onSearch({ ...search, pageSize: size, page: 1 })}
            />
          </div>
        )}
      </Card>
    </>
  );
}

function columnsOf(csv: CsvImport): PlainColumn<ImportRow>[] {
  const looks = actionLooks(csv);
  return [
    { label: 'Line', align: 'right', width: 80, cell: ({ line }) => line },
    {
      label: 'Result',
      width: 108,
      cell: ({ action }) => <Badge tone={looks[action].tone}>{looks[action].label}</Badge>,
    },
    { label: 'Name', rowHeader: true, cell: (row) => <RecordName csv={csv} row={row} /> },
    {
      label: 'Column',
      width: 168,
      from: 'md',
      cell: ({ field }) => (field === null ? null : importColumnLabel(csv, field)),
    },
    {
      label: 'Reason',
      from: 'sm',
      grow: true,
      cell: ({ problem }) => <span className="block py-1.5 whitespace-normal">{problem}</span>,
    },
  ];
}

/** The record of a row; on narrow screens, which have no column of reasons, with the reason. */
function RecordName({
  csv,
  row: { name, recordId, action, field, problem },
}: {
  csv: CsvImport;
  row: ImportRow;
}) {
  // A dry run has created nothing, and an undo has deleted it. A row that another one writes has a reason.
  const isCreated = action === 'created' || (action === 'unchanged' && problem !== null);
  const isThere = !isCreated || (isWritten(csv.state) && csv.state !== 'undone');
  const text = name === '' ? 'Row without a name' : name;
  return (
    <div className="flex min-w-0 flex-col py-1.5 whitespace-normal">
      {recordId !== null && isThere ? (
        <Link
          to={pagesOf(csv.noun).detail}
          params={{ id: recordId }}
          className="font-medium wrap-anywhere hover:text-accent-text hover:underline"
        >
          {text}
        </Link>
      ) : (
        <span className={name === '' ? 'text-muted italic' : 'wrap-anywhere'}>{text}</span>
      )}
      {problem !== null && (
        <span className="text-xs text-muted @min-[36rem]/table:hidden">
          {field !== null && `${importColumnLabel(csv, field)}: `}
          {problem}
        </span>
      )}
    </div>
  );
}
