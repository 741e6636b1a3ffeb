import { useId, useState } from 'react';
import { Button } from '../button/button.tsx';
import { Empty } from '../text/empty.tsx';

/** Characters and lines from which on a text starts folded. */
const long = { characters: 1200, lines: 16 } as const;

const isLong = (text: string) =>
  text.length > long.characters || text.split('\n', long.lines + 1).length > long.lines;

/** A text as it was written; a long one folded until somebody wants all of it. */
export function Prose({ text, label }: { text: string; label: string }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  if (text.trim() === '') return <Empty />;
  const folded = isLong(text) && !open;
  return (
    <div className="flex flex-col items-start gap-1">
      <p
        id={id}
        className={`max-w-[80ch] wrap-anywhere whitespace-pre-line ${folded ? 'line-clamp-12' : ''}`}
      >
        {text}
      </p>
      {isLong(text) && (
        <Button
          size="sm"
          variant="ghost"
          className="-ml-2"
          aria-expanded={open}
          aria-controls={id}
          aria-label={open ? `Show less of ${label}` : `Show all of ${label}`}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Show less' : 'Show all'}
        </Button>
      )}
    </div>
  );
}
