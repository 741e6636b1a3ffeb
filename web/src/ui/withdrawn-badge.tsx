import { Archive } from 'lucide-react';
import { Badge } from './badge.tsx';

const words = { revoked: 'Revoked', deprecated: 'Deprecated' } as const;

interface WithdrawnBadgeProps {
  withdrawn: keyof typeof words | null;
}

/** Says that the report which gave a record has taken it back; nothing where none has. */
export function WithdrawnBadge({ withdrawn }: WithdrawnBadgeProps) {
  if (withdrawn === null) return null;
  return (
    <Badge tone="warning" icon={<Archive aria-hidden size={12} />}>
      {words[withdrawn]}
    </Badge>
  );
}
