import { useEffect } from 'react';

interface Paging {
  /** The page of the URL. */
  page: number;
  pageSize: number;
  /** Number of rows in all pages; undefined while it is not known. */
  total: number | undefined;
}

/** Opens the last page when the page of the URL is after it: rows were deleted, or the address is mistyped. */
export function useLastPage({ page, pageSize, total }: Paging, onLastPage: (page: number) => void): void {
  useEffect(() => {
    if (total === undefined) return;
    const last = Math.max(1, Math.ceil(total / pageSize));
    if (page > last) onLastPage(last);
  });
}
