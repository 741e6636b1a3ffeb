import { formatCount } from '@riskboard/domain';
import { Trash2 } from 'lucide-react';
import { ButtonWithReason } from '../button/button-with-reason.tsx';
import type { Selected } from './use-selection.ts';

interface DeleteSelectedButtonProps {
  count: number;
  /** Why the user may not delete; undefined: they may. */
  refusal: string | undefined;
  onClick: () => void;
}

/** 'Delete Selected (n)' of the selection bar (spec 2). */
export function DeleteSelectedButton({ count, refusal, onClick }: DeleteSelectedButtonProps) {
  return (
    <ButtonWithReason
      size="sm"
      variant="danger"
      disabledReason={refusal}
      icon={<Trash2 aria-hidden size={14} />}
      onClick={onClick}
    >
      Delete Selected ({formatCount(count)})
    </ButtonWithReason>
  );
}

/** Names that are listed; the others are counted. */
const mostNames = 5;

/** The names of the selected rows, for the confirmation of a deletion. */
export function SelectedNames({ count, names }: Pick<Selected, 'count' | 'names'>) {
  const shown = names.slice(0, mostNames);
  const others = count - shown.length;
  return (
    <ul className="text-sm">
      {shown.map((name) => (
        <li key={name} className="truncate" title={name}>
          {name}
        </li>
      ))}
      {others > 0 && <li className="text-muted">and {formatCount(others)} more</li>}
    </ul>
  );
}
