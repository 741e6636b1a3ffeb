import { type ReactNode, useState } from 'react';
import { Pager } from '../../../ui/list/pager.tsx';

/** Rows per page at first; a list without more has no pager. */
export const firstPageSize = 20;

interface PagedProps<Row> {
  /** Of many rows, in lower case. */
  noun: string;
  /** All rows that match the search. */
  rows: readonly Row[];
  /** Another search opens the first page. */
  search: string;
  /** Renders the rows of the open page. */
  children: (rows: readonly Row[]) => ReactNode;
}

/** Pages of rows that are loaded already: hundreds at once would block the page while they render. */
export function Paged<Row>({ noun, rows, search, children }: PagedProps<Row>) {
  const [open, setOpen] = useState({ page: 1, search });
  const [pageSize, setPageSize] = useState(firstPageSize);
  const pages = Math.max(1, Math.ceil(rows.length / pageSize));
  // The open page may have been removed with its last row.
  const page = open.search === search ? Math.min(open.page, pages) : 1;
  return (
    <>
      {children(rows.slice((page - 1) * pageSize, page * pageSize))}
      {rows.length > firstPageSize && (
        <div className="border-t">
          <Pager
            pagesLabel={`Pages of ${noun}`}
            page={page}
            pageSize={pageSize}
            total={rows.length}
            onPage={(next) => setOpen({ page: next, search })}
            onPageSize={(size) => {
              setPageSize(size);
              setOpen({ page: 1, search });
            }}
          />
        </div>
      )}
    </>
  );
}
