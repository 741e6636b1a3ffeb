import { useId, useMemo, useState } from 'react';
import { readMarks, type TextPart } from '../../lib/format/marked-text.ts';
import { Button } from '../button/button.tsx';
import { Empty } from '../text/empty.tsx';
import { Citations, MarkedText } from '../text/marked-text.tsx';

/** Characters and lines above which a text starts folded. */
const longest = { characters: 1200, lines: 16 } as const;

function isLong(parts: readonly TextPart[]): boolean {
  const shown = parts.map((part) => (part.kind === 'citation' ? '' : part.text)).join('');
  return shown.length > longest.characters || shown.split('\n', longest.lines + 1).length > longest.lines;
}

/**
 * A text with its line breaks, links, code and citations; a long one is folded until the reader unfolds it. `label` names the
 * text.
 */
export function Prose({ text, label }: { text: string; label: string }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const { parts, citations, long } = useMemo(() => {
    const marked = readMarks(text);
    return { ...marked, long: isLong(marked.parts) };
  }, [text]);
  if (text.trim() === '') return <Empty />;
  const folded = long && !open;
  return (
    <div className="flex flex-col items-start gap-1">
      <p
        id={id}
        className={`max-w-[80ch] wrap-anywhere whitespace-pre-line ${folded ? 'line-clamp-12' : ''}`}
      >
        <MarkedText parts={parts} />
      </p>
      {citations.length > 0 && !folded && <Citations names={citations} />}
      {long && (
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
