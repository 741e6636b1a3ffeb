import { ArrowRight } from 'lucide-react';
import type { Change } from './changes.ts';
import { fieldLabel } from './sentence.ts';

/** Edits seldom touch more fields; the rest is one click away. */
const shownAtOnce = 3;

function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  return JSON.stringify(value) ?? '';
}

function Value({ value }: { value: unknown }) {
  const text = value === null ? '' : valueText(value);
  return text === '' ? <span className="text-muted italic">empty</span> : text;
}

function ChangeLine({ field, change }: { field: string; change: Change }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-1.5 text-sm wrap-anywhere">
      <span className="text-muted">{fieldLabel(field)}</span>
      <span className="sr-only">from</span>
      <del className="line-clamp-3 max-w-full rounded bg-hover px-1 text-muted">
        <Value value={change.from} />
      </del>
      <ArrowRight aria-hidden size={12} className="self-center text-muted" />
      <span className="sr-only">to</span>
      <ins className="line-clamp-3 max-w-full rounded bg-accent-soft px-1 text-accent-text no-underline">
        <Value value={change.to} />
      </ins>
    </li>
  );
}

const lines = (changes: readonly [string, Change][]) =>
  changes.map(([field, change]) => <ChangeLine key={field} field={field} change={change} />);

/** Fields of an edit, before and after. */
export function ChangeList({ changes }: { changes: readonly [field: string, change: Change][] }) {
  if (changes.length === 0) return null;
  const more = changes.slice(shownAtOnce);
  return (
    <div className="mt-1">
      <ul aria-label="Changes" className="flex flex-col gap-0.5">
        {lines(changes.slice(0, shownAtOnce))}
      </ul>
      {more.length > 0 && (
        <details className="mt-0.5">
          <summary className="w-fit cursor-pointer rounded text-sm text-accent-text">
            {more.length} more
          </summary>
          <ul aria-label="More changes" className="mt-0.5 flex flex-col gap-0.5">
            {lines(more)}
          </ul>
        </details>
      )}
    </div>
  );
}
