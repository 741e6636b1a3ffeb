import { assetRiskBands, type AssetHealth } from '@riskboard/domain';
import { CircleAlert, CircleCheck, CircleHelp, TriangleAlert } from 'lucide-react';
import { formatMean } from '../../lib/format/format.ts';
import { Badge, type BadgeTone } from './badge.tsx';

const looks = {
  Healthy: { tone: 'success', Icon: CircleCheck },
  Warning: { tone: 'warning', Icon: TriangleAlert },
  Critical: { tone: 'danger', Icon: CircleAlert },
  Unknown: { tone: 'neutral', Icon: CircleHelp },
} as const satisfies Record<AssetHealth, { tone: BadgeTone; Icon: typeof CircleAlert }>;

/** Health of an asset (spec 4). */
export function HealthBadge({ health }: { health: AssetHealth }) {
  const { tone, Icon } = looks[health];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden size={12} />}>
      {health}
    </Badge>
  );
}

/** Green, amber, red (spec 4, posture). */
const tones = { low: 'low', medium: 'medium', high: 'danger' } as const;

/** Risk score of an asset, 0 to 10, with its band: below 3 Low, below 7 Medium, otherwise High (spec 9, Assets). */
export function AssetRiskBadge({ score }: { score: number }) {
  const { value, label } = assetRiskBands.find(({ from }) => score >= from) ?? assetRiskBands[2];
  return (
    <Badge tone={tones[value]}>
      {formatMean(score)} {label}
    </Badge>
  );
}
