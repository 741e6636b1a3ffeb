import type { Cwe, CweRelated } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../../ui/button/button.tsx';
import { linkStyle } from '../../../ui/button/link-style.ts';
import { Card } from '../../../ui/layout/card.tsx';

/** Entries that are shown before the reader asks for all. */
const shown = 12;

function Related({ title, entries }: { title: string; entries: readonly CweRelated[] }) {
  const [isOpen, setOpen] = useState(false);
  if (entries.length === 0) return null;
  const rest = isOpen ? 0 : Math.max(0, entries.length - shown);
  return (
    <Card
      label={title}
      title={
        <>
          {title} <span className="font-normal text-muted tabular-nums">{formatCount(entries.length)}</span>
        </>
      }
    >
      <ul className="grid gap-x-6 px-4 py-2 sm:grid-cols-2">
        {entries.slice(0, entries.length - rest).map(({ ID, Name }) => (
          <li key={ID} className="min-w-0">
            <Link
              to="/dashboard/weaknesses/$id"
              params={{ id: ID }}
              className="group flex min-h-7 items-baseline gap-2 py-1 text-sm"
            >
              <span className={`${linkStyle} shrink-0 tabular-nums group-hover:decoration-2`}>CWE-{ID}</span>
              <span className="wrap-anywhere">{Name}</span>
            </Link>
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <div className="px-2 pb-2">
          <Button size="sm" variant="ghost" onClick={() => setOpen(true)}>
            Show {formatCount(rest)} more
          </Button>
        </div>
      )}
    </Card>
  );
}

const direct = new Set(['ChildOf', 'ParentOf', 'HasMember']);

/** Entries related to a weakness, category or view; each leads to its page. */
export function RelatedCards({ weakness }: { weakness: Cwe }) {
  const others = weakness.Weaknesses.filter(({ Nature }) => !direct.has(Nature));
  return (
    <>
      <Related title="Parents" entries={weakness.Parents} />
      <Related title="Children" entries={weakness.Children} />
      <Related title="Members" entries={weakness.Members} />
      <Related title="Related weaknesses" entries={others} />
      <Related title="Member of" entries={weakness.MemberOf} />
    </>
  );
}
