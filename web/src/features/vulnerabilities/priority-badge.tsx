import type { priorityOf } from '@riskboard/domain';
import { Badge } from '../../ui/badge/badge.tsx';
import { Empty } from '../../ui/text/empty.tsx';

type Priority = ReturnType<typeof priorityOf>;

const tones = { Critical: 'critical', High: 'high', Medium: 'medium', Low: 'low' } as const satisfies Record<
  Priority,
  string
>;

/** How soon a vulnerability wants attention (spec 9, Vulnerabilities). */
export function PriorityBadge({ priority }: { priority: Priority | null }) {
  if (priority === null) return <Empty />;
  return <Badge tone={tones[priority]}>{priority}</Badge>;
}
