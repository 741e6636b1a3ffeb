import type { Suggestion } from '@riskboard/contract';
import { Link } from '@tanstack/react-router';
import { Link2 } from 'lucide-react';
import { pagesOf } from '../../../lib/entity/entity.ts';
import { ButtonWithReason } from '../../button/button-with-reason.tsx';
import { RecordBadge } from './record-badge.tsx';
import { linkStyle } from '../../button/link-style.ts';

interface SuggestionListProps {
  /** Noun of the suggested records. */
  noun: 'assets' | 'threats' | 'vulnerabilities';
  label: string;
  suggestions: readonly Suggestion[];
  onRelate: (suggestions: readonly Suggestion[]) => void;
  busy: boolean;
  refusal: string | undefined;
}

/** Suggested records, each with the reasons and a button that relates it. */
export function SuggestionList({ noun, label, suggestions, onRelate, busy, refusal }: SuggestionListProps) {
  return (
    <ul aria-label={label} className="divide-y">
      {suggestions.map((one) => (
        <li key={one._id} className="flex items-start justify-between gap-3 px-4 py-2">
          <div className="min-w-0">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <Link to={pagesOf(noun).detail} params={{ id: one._id }} className={`${linkStyle} break-words`}>
                {one.name}
              </Link>
              <RecordBadge noun={noun} score={one.score} />
              {one.subtitle !== '' && one.subtitle !== one.name && (
                <span className="text-sm text-muted">{one.subtitle}</span>
              )}
            </p>
            {one.reasons.map(({ kind, text }) => (
              <p key={kind} className="text-sm break-words text-muted">
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
            onClick={() => onRelate([one])}
          >
            Relate
          </ButtonWithReason>
        </li>
      ))}
    </ul>
  );
}
