import { readMarks, type TextPart } from '../../lib/format/marked-text.ts';
import { linkStyle } from '../button/link-style.ts';

function Part({ part }: { part: TextPart }) {
  if (part.kind === 'text') return part.text;
  if (part.kind === 'code') return <code className="rounded bg-hover px-1 text-[0.9em]">{part.text}</code>;
  if (part.kind === 'citation')
    return (
      <sup className="mx-px text-muted">
        <span className="sr-only">Citation </span>
        {part.number}
      </sup>
    );
  return (
    <a href={part.href} title={part.href} target="_blank" rel="noopener noreferrer" className={linkStyle}>
      {part.text}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}

/** A description with its links, code and numbered citations. */
export const MarkedText = ({ parts }: Pick<ReturnType<typeof readMarks>, 'parts'>) =>
  // oxlint-disable-next-line react/no-array-index-key -- parts of a text have no other identity
  parts.map((part, index) => <Part key={index} part={part} />);

/** The sources that the numbers in a description name. */
export const Citations = ({ names }: { names: readonly string[] }) => (
  <ol className="flex max-w-[80ch] flex-wrap gap-x-3 text-sm text-muted" aria-label="Citations">
    {names.map((name, index) => (
      <li key={name} className="wrap-anywhere">
        <span className="tabular-nums">{index + 1}</span> {name}
      </li>
    ))}
  </ol>
);
