import { ArrowRight } from 'lucide-react';
import type { Change } from './changes.ts';
import { fieldLabel, fieldValue } from './sentence.ts';

/** Edits seldom touch more fields; the rest is one click away. */
const shownAtOnce = 3;

const Value = ({ text }: { text: string }) =>
  text === '' ? <span className="text-muted italic">empty</span> : text;

interface ChangeLineProps {
  /** Of what the field is. */
  noun: string;
  field: string;
  change: Change;
}

function ChangeLine({ noun, field, change }: ChangeLineProps) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-1.5 text-sm wrap-anywhere">
      <span className="text-muted">{fieldLabel(noun, field)}</span>
      <span className="sr-only">from</span>
      <del className="line-clamp-3 max-w-full rounded bg-hover px-1 text-muted">
        <Value text={fieldValue(noun, field, change.from)} />
      </del>
      <ArrowRight aria-hidden size={12} className="self-center text-muted" />
      <span className="sr-only">to</span>
      <ins className="line-clamp-3 max-w-full rounded bg-accent-soft px-1 text-accent-text no-underline">
        <Value text={fieldValue(noun, field, change.to)} />
      </ins>
    </li>
  );
}

interface ChangeListProps {
  noun: string;
  changes: readonly [field: string, change: Change][];
}

/** Fields of an edit, before and after. */
export function ChangeList({ noun, changes }: ChangeListProps) {
  if (changes.length === 0) return null;
  const lines = changes.map(([field, change]) => (
    <ChangeLine key={field} noun={noun} field={field} change={change} />
  ));
  const more = lines.slice(shownAtOnce);
  return (
    <div className="mt-1">
      <ul aria-label="Changes" className="flex flex-col gap-0.5">
        {lines.slice(0, shownAtOnce)}
      </ul>
      {more.length > 0 && (
        <details className="mt-0.5">
          <summary className="w-fit cursor-pointer rounded text-sm text-accent-text">
            {more.length} more
          </summary>
          <ul aria-label="More changes" className="mt-0.5 flex flex-col gap-0.5">
            {more}
          </ul>
        </details>
      )}
    </div>
  );
}
