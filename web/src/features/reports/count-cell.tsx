import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { formatCount } from '../../lib/format/format.ts';
import { Empty } from '../../ui/text/empty.tsx';
import { countQuery, type Counted } from './queries.ts';
import { useVisible } from './use-visible.ts';

interface CountCellProps {
  fileId: string;
  counted: Counted;
  /** What the list says. */
  listed: number;
  /** Records that the parse found; null until it is through. */
  found: number | null;
}

/** Extracted of found, asked for when the row comes into view (spec 7: counts are fetched lazily per file). */
export function CountCell({ fileId, counted, listed, found }: CountCellProps) {
  const cell = useRef<HTMLSpanElement>(null);
  const visible = useVisible(cell);
  const read = found !== null;
  const { data, isError } = useQuery({
    ...countQuery({ fileId, counted, listed }),
    enabled: visible && (read || listed > 0),
  });
  // A report that nobody could read, or has read yet, does not hold 0 threats: it is not known.
  if (!read && listed === 0) return <Empty />;
  return (
    <span ref={cell} className="whitespace-nowrap tabular-nums">
      {data === undefined ? (
        <span className="text-muted">{isError ? 'N/A' : '…'}</span>
      ) : (
        <>
          {formatCount(data)}{' '}
          {found !== null && found > data && <span className="text-muted">of {formatCount(found)}</span>}
        </>
      )}
    </span>
  );
}
