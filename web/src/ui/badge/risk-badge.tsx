import { riskBandOf, type RiskBand } from '@riskboard/domain';
import { Badge, type BadgeTone } from './badge.tsx';
import { Empty } from '../text/empty.tsx';

/** Green, amber, red (spec 9, Threats). */
const tones = { low: 'low', medium: 'medium', high: 'danger' } as const satisfies Record<RiskBand, BadgeTone>;

interface RiskBadgeProps {
  /** 0-100; null where nobody assessed it. */
  level: number | null;
}

/** Level and band of a threat's risk. */
export function RiskBadge({ level }: RiskBadgeProps) {
  if (level === null) return <Empty />;
  const { value, label } = riskBandOf(level);
  return (
    <Badge tone={tones[value]}>
      {level} {label}
    </Badge>
  );
}
