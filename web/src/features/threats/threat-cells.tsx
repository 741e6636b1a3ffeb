import type { Threat } from '@riskboard/contract';
import { Link } from '@tanstack/react-router';
import { levelWord } from '../../lib/record-words.ts';
import { Empty } from '../../ui/text/empty.tsx';
import { WithdrawnBadge } from '../../ui/badge/badge.tsx';

/** Name of a threat, with the way to its page. */
export function NameCell({ row: { _id, name, withdrawn } }: { row: Threat }) {
  return (
    <span className="flex max-w-[56ch] min-w-36 flex-wrap items-center gap-x-2 gap-y-1">
      <Link
        to="/dashboard/threats/$id"
        params={{ id: _id }}
        title={name}
        className="line-clamp-2 font-medium wrap-anywhere hover:text-accent-text hover:underline"
      >
        {name}
      </Link>
      <WithdrawnBadge withdrawn={withdrawn} />
    </span>
  );
}

/** The word of a level, such as 'High'. */
export function Level({ scale, level }: { scale: Readonly<Record<number, string>>; level: number | null }) {
  const word = levelWord(scale, level);
  return word === undefined ? <Empty /> : <span className="whitespace-nowrap">{word}</span>;
}
