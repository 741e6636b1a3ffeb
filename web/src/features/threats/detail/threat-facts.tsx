import type { ThreatDetail } from '@riskboard/contract';
import { threatRiskScore } from '@riskboard/domain';
import { formatMean } from '../../../lib/format/format.ts';
import { RiskBadge } from '../../../ui/badge/badge.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Fact, Facts } from '../../../ui/record/facts.tsx';
import { FieldFacts, arrangeFields } from '../../../ui/record/field-facts.tsx';
import { RelatedAssets } from '../../../ui/record/related-assets.tsx';
import { ReportedRelations } from '../../../ui/record/reported-relations.tsx';
import { threat } from '../threat.ts';
import { ActiveBadge } from '../../../ui/badge/active-badge.tsx';

const { essentials, facts, texts } = arrangeFields(threat, {
  essentials: ['isActive', 'threatTypeId', 'threatID', 'motivation', 'capability', 'likelihood', 'impact'],
  facts: ['kind', 'threatCategory', 'source', 'reference', 'sourceFile', 'createdAt', 'updatedAt'],
  texts: ['description', 'mitigationStrategy'],
  elsewhere: ['name', 'riskLevel', 'riskLevelSource', 'withdrawn', 'relatedAssets'],
});

/** Long texts of a threat's page. */
export const threatTexts = texts;

/** Fields of the pane beside a list. */
export const threatEssentials = ['riskLevel', ...essentials];

/** Where a risk level comes from (contract, Scales). */
const levelNotes: Readonly<Record<string, string>> = {
  derived: '4 × likelihood × impact',
  CAPEC: 'From CAPEC',
};

/** The first facts of a threat's page, and all of its pane beside a list. */
export function ThreatEssentials({ detail }: { detail: ThreatDetail }) {
  const { riskLevel, riskLevelSource, isActive } = detail;
  return (
    <>
      <FieldFacts
        names={['riskLevel']}
        values={{ riskLevel: <RiskBadge level={riskLevel} /> }}
        notes={{ riskLevel: levelNotes[riskLevelSource] ?? '' }}
      />
      {riskLevel !== null && (
        <Fact label="Risk score">{`${formatMean(threatRiskScore(riskLevel))} / 10`}</Fact>
      )}
      <FieldFacts
        names={essentials}
        values={{
          isActive: <ActiveBadge active={isActive} />,
        }}
      />
    </>
  );
}

/** The fields of a threat that are not long texts, its assets, and the records that reports relate to it. */
export function ThreatFacts({ detail }: { detail: ThreatDetail }) {
  return (
    <>
      <Card title="Facts">
        <Facts fields={[...threatEssentials, ...facts]}>
          <ThreatEssentials detail={detail} />
          <FieldFacts names={facts} />
        </Facts>
      </Card>
      <RelatedAssets
        assets={detail.relatedAssets}
        total={detail.relatedAssetTotal}
        filter={{ threatId: detail._id }}
      />
      <ReportedRelations />
    </>
  );
}
