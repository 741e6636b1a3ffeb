import { withdrawalLabels } from '@riskboard/contract';
import { Archive } from 'lucide-react';
import { Badge } from './badge.tsx';

interface WithdrawnBadgeProps {
  withdrawn: keyof typeof withdrawalLabels | null;
}

/** Says that the record's report has revoked or deprecated it; nothing when it has not. */
export function WithdrawnBadge({ withdrawn }: WithdrawnBadgeProps) {
  if (withdrawn === null) return null;
  return (
    <Badge tone="warning" icon={<Archive aria-hidden size={12} />}>
      {withdrawalLabels[withdrawn]}
    </Badge>
  );
}
