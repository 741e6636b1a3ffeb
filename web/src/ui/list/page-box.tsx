import { useState, type SubmitEvent } from 'react';
import { formatCount } from '../../lib/format/format.ts';
import { pageFromText } from './page-window.ts';

interface PageBoxProps {
  page: number;
  pages: number;
  onPage: (page: number) => void;
}

/** Goes to a page by its number: digits only, clamped between 1 and the page count (spec 5). */
export function PageBox({ page, pages, onPage }: PageBoxProps) {
  const [draft, setDraft] = useState<string>();

  function go(event?: SubmitEvent) {
    event?.preventDefault();
    const next = pageFromText(draft ?? '', pages);
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
      of {formatCount(pages)}
    </form>
  );
}
