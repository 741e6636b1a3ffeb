import { formatCount, formatTotal } from '@riskboard/domain';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState, type SubmitEvent } from 'react';
import { buttonStyle } from '../button/button-style.ts';
import { IconButton } from '../button/icon-button.tsx';
import { ListAnnouncer } from './list-announcer.tsx';

interface PagerProps {
  /** Of the choice of the page size. */
  label?: string;
  /** Of the page buttons, when a page of the product has several pagers. */
  pagesLabel?: string;
  /** 1-based. */
  page: number;
  pageSize: number;
  /** Number of rows in all pages. */
  total: number;
  /** Counting stopped at `total`: there are more rows, and pages after the counted ones. */
  isCapped?: boolean;
  /** There is a page after this one; absent: as the total says. */
  hasNext?: boolean;
  pageSizes?: readonly number[];
  /** The list itself announces its rows. */
  quiet?: boolean;
  onPage: (page: number) => void;
  /** The caller resets the page to 1. */
  onPageSize: (pageSize: number) => void;
}

/** Rows a page may show (spec 9, Paging). */
const standardSizes = [10, 20, 30, 40, 50] as const;

/** Page buttons (at most 5), a page field and the page size. A single page shows only the count. */
export function Pager({
  label = 'Rows per page',
  pagesLabel = 'Pages',
  page,
  pageSize,
  total,
  isCapped = false,
  hasNext = false,
  pageSizes = standardSizes,
  quiet = false,
  onPage,
  onPageSize,
}: PagerProps) {
  const counted = Math.max(1, Math.ceil(total / pageSize));
  const pages = isCapped ? Math.max(counted, page + (hasNext ? 1 : 0)) : counted;
  const current = Math.min(Math.max(1, page), pages);
  const range = rangeText({ page: current, pageSize, total, isCapped });
  const sizes = [...new Set([...pageSizes, pageSize])].toSorted((a, b) => a - b);

  return (
    <div
      data-keep-clear=""
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-2 text-sm text-muted tabular-nums"
    >
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <label className="flex items-center gap-2 print:hidden">
          {label}
          {/* A native select: every list has one, and it needs no extra code. */}
          <select
            value={pageSize}
            onChange={(event) => onPageSize(Number(event.target.value))}
            className="h-7 rounded border border-line-strong bg-surface px-1.5 text-text hover:bg-hover"
          >
            {sizes.map((size) => (
              <option key={size} value={size}>
                {size}
              </option>
            ))}
          </select>
        </label>
        <span>{range}</span>
        {!quiet && <ListAnnouncer of={`${page} ${pageSize}`} text={range} />}
      </div>
      {pages > 1 && (
        <nav aria-label={pagesLabel} className="flex flex-wrap items-center gap-1 print:hidden">
          <IconButton
            label="Previous page"
            icon={<ChevronLeft aria-hidden size={16} />}
            size="sm"
            disabled={current === 1}
            onClick={() => onPage(current - 1)}
          />
          {pageWindow(current, pages).map((number) => (
            <button
              key={number}
              type="button"
              aria-label={`Page ${formatCount(number)}`}
              aria-current={number === current ? 'page' : undefined}
              onClick={() => onPage(number)}
              className={buttonStyle({
                variant: number === current ? 'secondary' : 'ghost',
                size: 'sm',
                class: 'min-w-7',
              })}
            >
              {formatCount(number)}
            </button>
          ))}
          <IconButton
            label="Next page"
            icon={<ChevronRight aria-hidden size={16} />}
            size="sm"
            disabled={current === pages}
            onClick={() => onPage(current + 1)}
          />
          <PageBox page={current} pages={pages} isCapped={isCapped} onPage={onPage} />
        </nav>
      )}
    </div>
  );
}

/** '11–20 of 95': the rows of a page. */
export function rangeText({
  page,
  pageSize,
  total,
  isCapped = false,
}: Pick<PagerProps, 'page' | 'pageSize' | 'total' | 'isCapped'>): string {
  const from = total === 0 ? 0 : (page - 1) * pageSize + 1;
  const counted = Math.max(1, Math.ceil(total / pageSize));
  const to = isCapped && page >= counted ? page * pageSize : Math.min(page * pageSize, total);
  return `${formatCount(from)}–${formatCount(to)} of ${formatTotal(total, isCapped)}`;
}

interface PageBoxProps {
  page: number;
  pages: number;
  /** There may be pages after these. */
  isCapped: boolean;
  onPage: (page: number) => void;
}

/** Greatest page number that the API takes. */
const lastPage = 1_000_000;

/** Goes to a page by its number: digits only, clamped between 1 and the page count (spec 5). */
function PageBox({ page, pages, isCapped, onPage }: PageBoxProps) {
  const [draft, setDraft] = useState<string>();

  function go(event?: SubmitEvent) {
    event?.preventDefault();
    const next = pageFromText(draft ?? '', isCapped ? lastPage : pages);
    setDraft(undefined);
    if (next !== null && next !== page) onPage(next);
  }

  return (
    <form onSubmit={go} className="ml-2 flex items-center gap-2">
      <label className="flex items-center gap-2">
        Page
        <input
          inputMode="numeric"
          value={draft ?? String(page)}
          onChange={(event) => setDraft(event.target.value.replaceAll(/\D/gu, ''))}
          onFocus={(event) => event.target.select()}
          onBlur={() => go()}
          className="h-7 w-14 rounded border border-line-strong bg-surface px-2 text-right text-text"
        />
      </label>
      of {formatTotal(pages, isCapped)}
    </form>
  );
}

/**
 * Page numbers to show: at most `most`, with the current page as near the middle as the ends allow
 * (spec 9, Paging: at most 5 page buttons).
 * @param page 1 to `pages`
 */
export function pageWindow(page: number, pages: number, most = 5): number[] {
  const length = Math.min(pages, most);
  const first = Math.min(Math.max(1, page - Math.floor(most / 2)), pages - length + 1);
  return Array.from({ length }, (_, index) => first + index);
}

/** Page number typed by a person: digits only, clamped between 1 and the page count (spec 5); null if no digit. */
export function pageFromText(text: string, pages: number): number | null {
  const digits = text.replaceAll(/\D/gu, '');
  if (digits === '') return null;
  return Math.min(Math.max(1, Number(digits)), pages);
}
