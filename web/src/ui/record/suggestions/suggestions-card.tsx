import type { Suggestion } from '@riskboard/contract';
import { Link } from '@tanstack/react-router';
import { Link2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { focusMain, focusPeer } from '../../../lib/browser/page-focus.ts';
import { pagesOf } from '../../../lib/entity/entity.ts';
import { Button } from '../../button/button.tsx';
import { ButtonWithReason } from '../../button/button-with-reason.tsx';
import { linkStyle } from '../../button/link-style.ts';
import { Card } from '../../layout/card.tsx';
import { RecordBadge } from './record-badge.tsx';

/** Suggestions that the card shows at first: most pages have stronger content below. */
const firstShown = 5;

interface SuggestionsCardProps {
  /** Noun of the suggested records. */
  noun: 'assets' | 'threats' | 'vulnerabilities';
  /** At least one. */
  suggestions: readonly Suggestion[];
  onRelate: (ids: string[]) => void;
  busy: boolean;
  refusal: string | undefined;
}

/** Suggested records, each with the reasons and a button that relates it; one button relates all that are shown. */
export function SuggestionsCard({ noun, suggestions, onRelate, busy, refusal }: SuggestionsCardProps) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? suggestions : suggestions.slice(0, firstShown);
  const hidden = suggestions.length - shown.length;
  const list = useRef<HTMLUListElement>(null);

  function showAll(): void {
    flushSync(() => setIsWhole(true));
    list.current?.children[shown.length]?.querySelector('a')?.focus();
  }

  return (
    <Card
      title={`Suggested ${noun}`}
      actions={
        shown.length > 1 && (
          <ButtonWithReason
            size="sm"
            disabled={busy}
            disabledReason={refusal}
            onClick={() => {
              onRelate(shown.map(({ _id }) => _id));
              // The card disappears with its last suggestion.
              if (hidden === 0) focusMain();
            }}
          >
            Relate all {shown.length}
          </ButtonWithReason>
        )
      }
    >
      <ul ref={list} data-peers="" className="divide-y">
        {shown.map((one) => (
          <li key={one._id} className="flex items-start justify-between gap-3 px-4 py-2">
            <div className="min-w-0 wrap-anywhere">
              <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <Link to={pagesOf(noun).detail} params={{ id: one._id }} className={linkStyle}>
                  {one.name}
                </Link>
                <RecordBadge noun={noun} score={one.score} />
                {one.subtitle !== '' && one.subtitle !== one.name && (
                  <span className="text-sm text-muted">{one.subtitle}</span>
                )}
              </p>
              {one.reasons.map(({ kind, text }) => (
                <p key={kind} className="text-sm text-muted">
                  {text}
                </p>
              ))}
            </div>
            <ButtonWithReason
              size="sm"
              aria-label={`Relate ${one.name}`}
              icon={<Link2 aria-hidden size={14} />}
              disabled={busy}
              disabledReason={refusal}
              data-peer=""
              onClick={(event) => {
                onRelate([one._id]);
                focusPeer(event.currentTarget, focusMain);
              }}
            >
              Relate
            </ButtonWithReason>
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <div className="border-t px-4 py-2">
          <Button size="sm" variant="ghost" onClick={showAll}>
            Show {hidden} more
          </Button>
        </div>
      )}
    </Card>
  );
}
