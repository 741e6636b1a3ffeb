import type { VulnerabilityStatus } from '@riskboard/domain';
import { CircleCheck, CircleDot, CircleHelp, CircleSlash, Shield } from 'lucide-react';
import { statusWord } from '../../lib/record-words.ts';
import { Badge, type BadgeTone } from '../../ui/badge/badge.tsx';

interface Look {
  tone: BadgeTone;
  Icon: typeof CircleDot;
}

const looks: Readonly<Record<string, Look>> = {
  open: { tone: 'info', Icon: CircleDot },
  mitigated: { tone: 'success', Icon: Shield },
  fixed: { tone: 'success', Icon: CircleCheck },
  accepted: { tone: 'neutral', Icon: CircleSlash },
} satisfies Record<VulnerabilityStatus, Look>;
const unknown: Look = { tone: 'neutral', Icon: CircleHelp };

/** Status of a vulnerability; any other value displays 'Unknown' (spec 4). */
export function StatusBadge({ status }: { status: string }) {
  const { tone, Icon } = looks[status] ?? unknown;
  return (
    <Badge tone={tone} icon={<Icon aria-hidden size={12} />}>
      {statusWord(status)}
    </Badge>
  );
}
