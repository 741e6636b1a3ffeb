import type { Vulnerability } from '@riskboard/contract';
import { Archive } from 'lucide-react';
import { withdrawalWords } from '../../lib/record-words.ts';
import { Badge } from './badge.tsx';

interface WithdrawnBadgeProps {
  withdrawn: Vulnerability['withdrawn'];
}

/** Says that the report which gave a record has taken it back; nothing where none has. */
export function WithdrawnBadge({ withdrawn }: WithdrawnBadgeProps) {
  if (withdrawn === null) return null;
  return (
    <Badge tone="warning" icon={<Archive aria-hidden size={12} />}>
      {withdrawalWords[withdrawn]}
    </Badge>
  );
}
