import { useId, useState } from 'react';
import { Button } from '../button/button.tsx';
import { Empty } from '../text/empty.tsx';

/** Characters and lines above which a text starts folded. */
const longest = { characters: 1200, lines: 16 } as const;

const isLong = (text: string) =>
  text.length > longest.characters || text.split('\n', longest.lines + 1).length > longest.lines;

/** A text with its line breaks; a long one is folded until the reader unfolds it. `label` names the text. */
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
