import type { FactorSource } from '@riskboard/domain';
import { Box, Bug, CircleDashed, FileText, Gauge, ShieldAlert, UserPen } from 'lucide-react';
import { Badge, type BadgeTone } from '../../../../ui/badge/badge.tsx';

const looks = {
  vignette: { label: 'Vignette', tone: 'neutral', Icon: FileText },
  CVSS: { label: 'CVSS', tone: 'neutral', Icon: Gauge },
  CVE: { label: 'CVE', tone: 'neutral', Icon: ShieldAlert },
  CWE: { label: 'CWE', tone: 'neutral', Icon: Bug },
  asset: { label: 'Asset', tone: 'neutral', Icon: Box },
  analyst: { label: 'Analyst', tone: 'info', Icon: UserPen },
  default: { label: 'Assumed', tone: 'neutral', Icon: CircleDashed },
} as const satisfies Record<FactorSource, { label: string; tone: BadgeTone; Icon: typeof Box }>;

/** Where the value of a factor comes from. */
export function SourceBadge({ source }: { source: FactorSource }) {
  const { label, tone, Icon } = looks[source];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden size={12} />}>
      {label}
    </Badge>
  );
}
