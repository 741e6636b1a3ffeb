import { vulnerabilityEntity } from '@riskboard/contract';
import type { VulnerabilityStatus } from '@riskboard/domain';
import { CircleCheck, CircleDot, CircleSlash, Shield } from 'lucide-react';
import { fieldText } from '../../lib/entity/field-text.ts';
import { Badge, type BadgeTone } from './badge.tsx';

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

/** Status of a vulnerability; any other value displays 'Unknown' (spec 4), without an icon. */
export function StatusBadge({ status }: { status: string }) {
  const look = looks[status];
  return (
    <Badge tone={look?.tone ?? 'neutral'} icon={look && <look.Icon aria-hidden size={12} />}>
      {fieldText(vulnerabilityEntity.fields.status, status)}
    </Badge>
  );
}
