import { CircleDot, CirclePause } from 'lucide-react';
import { Badge } from './badge.tsx';

/** Active or Inactive (spec 4, Threat isActive; spec 3, Asset). */
export const ActiveBadge = ({ active }: { active: boolean }) =>
  active ? (
    <Badge tone="info" icon={<CircleDot aria-hidden size={12} />}>
      Active
    </Badge>
  ) : (
    <Badge icon={<CirclePause aria-hidden size={12} />}>Inactive</Badge>
  );
