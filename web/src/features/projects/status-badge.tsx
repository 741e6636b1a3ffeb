import { projectStatusLabels } from '@riskboard/contract';
import type { ProjectStatus } from '@riskboard/domain';
import { CircleCheck, CirclePause, CirclePlay } from 'lucide-react';
import { Badge, type BadgeTone } from '../../ui/badge/badge.tsx';

/** Green active, amber on hold, blue completed (spec 4, Project status). */
const looks = {
  active: { tone: 'success', Icon: CirclePlay },
  'on-hold': { tone: 'warning', Icon: CirclePause },
  completed: { tone: 'info', Icon: CircleCheck },
} as const satisfies Record<ProjectStatus, { tone: BadgeTone; Icon: typeof CirclePlay }>;

export function ProjectStatusBadge({ status }: { status: ProjectStatus }) {
  const { tone, Icon } = looks[status];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden size={12} />}>
      {projectStatusLabels[status]}
    </Badge>
  );
}
