import { Badge } from '../../ui/badge.tsx';

/** Active or Inactive (spec 4, Threat isActive). */
export const ActiveBadge = ({ active }: { active: boolean }) =>
  active ? <Badge tone="warning">Active</Badge> : <Badge>Inactive</Badge>;
