import type { AssetDetail } from '@riskboard/contract';
import { assetPriority, businessCriticality } from '@riskboard/domain';
import { fieldText } from '../../../lib/entity/field-text.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Fact } from '../../../ui/record/facts.tsx';
import { asset } from '../asset.ts';
import { CostText } from './cost-text.tsx';

const tones = {
  Critical: 'critical',
  High: 'high',
  Medium: 'medium',
  Moderate: 'medium',
  Low: 'low',
} as const;

/** What the criticality of an asset means: text, impact and priority (spec 9, Assets). */
export function CriticalityCard({ criticality }: { criticality: number | null }) {
  const meaning = businessCriticality(criticality);
  const priority = assetPriority(criticality);
  if (meaning === undefined || priority === undefined)
    return (
      <Card title="Criticality">
        <p className="p-4 text-sm text-muted">Not set. Set the criticality to see its impact and priority.</p>
      </Card>
    );
  return (
    <Card title="Criticality">
      <p className="flex flex-wrap items-baseline gap-x-2 px-4 pt-3 pb-2">
        <span className="text-lg font-semibold">{meaning.label}</span>
        <span className="text-sm text-muted tabular-nums">
          {criticality} / 5, {fieldText(asset.fields.criticality, criticality)}
        </span>
      </p>
      <dl className="divide-y border-t">
        <Fact label="Impact">
          <Badge tone={tones[meaning.impact]}>{meaning.impact}</Badge>
        </Fact>
        <Fact label="Priority">
          <Badge tone={tones[priority]}>{priority}</Badge>
        </Fact>
      </dl>
    </Card>
  );
}

/** What the loss of an asset costs (spec 2, Asset detail). */
export function BusinessImpact({ detail }: { detail: AssetDetail }) {
  const { replacementCost, recoveryCost, criticality } = detail;
  const both = replacementCost !== null && recoveryCost !== null;
  return (
    <Card title="Business impact">
      <dl className="divide-y">
        <Fact label="Replacement cost">
          <CostText amount={replacementCost} />
        </Fact>
        <Fact label="Recovery cost">
          <CostText amount={recoveryCost} />
        </Fact>
        {both && (
          <Fact label="Total">
            <span className="font-medium">
              <CostText amount={replacementCost + recoveryCost} />
            </span>
          </Fact>
        )}
        <Fact label="Impact of a loss">
          {businessCriticality(criticality)?.impact ?? <span className="text-muted">Not set</span>}
        </Fact>
      </dl>
    </Card>
  );
}
