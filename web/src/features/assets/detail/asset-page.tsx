import type { AssetDetail } from '@riskboard/contract';
import { businessCriticality } from '@riskboard/domain';
import type { ReactNode } from 'react';
import { fieldText } from '../../../lib/entity/field-text.ts';
import { ActiveBadge } from '../../../ui/badge/active-badge.tsx';
import { HealthBadge } from '../../../ui/badge/asset-badge.tsx';
import { Badge } from '../../../ui/badge/badge.tsx';
import { lazyPart, reserved } from '../../../ui/layout/lazy-part.tsx';
import { FieldTextsCard } from '../../../ui/record/field-facts.tsx';
import { RecordPage } from '../../../ui/record/record-page.tsx';
import { asset } from '../asset.ts';
import { AssetFacts, assetTexts, ProjectLink } from './asset-facts.tsx';
import { BusinessImpact, CriticalityCard } from './business-impact.tsx';
import { SecurityProfile } from './security-profile.tsx';

// Tree, graph, tables and chart: too large for the budget of the page (decision 18).
const RelationshipsCard = lazyPart(
  async () => (await import('../relations/relationships-card.tsx')).RelationshipsCard,
  reserved('h-40'),
);
const BlastRadiusCard = lazyPart(
  async () => (await import('../relations/blast-radius-card.tsx')).BlastRadiusCard,
  reserved('h-162'),
);

const ThreatScenario = lazyPart(
  async () => (await import('./threat-scenario.tsx')).ThreatScenario,
  reserved('h-40'),
);
const SuggestedRecords = lazyPart(
  async () => (await import('../relating/suggested-records.tsx')).SuggestedRecords,
);

const RiskTrend = lazyPart(
  async () => (await import('../score/risk-trend.tsx')).RiskTrend,
  reserved('h-84.5'),
);

interface AssetPageProps {
  id: string;
  /** Its activity, from the feature that owns the log. */
  activity: ReactNode;
}

function Badges({ detail }: { detail: AssetDetail }) {
  const { assetTypeId, health, criticality, isActive } = detail;
  const meaning = businessCriticality(criticality);
  return (
    <>
      <Badge tone="info">{fieldText(asset.fields.assetTypeId, assetTypeId)}</Badge>
      <HealthBadge health={health} />
      {meaning !== undefined && <Badge>{meaning.label}</Badge>}
      <ActiveBadge active={isActive} />
      <ProjectLink detail={detail} />
    </>
  );
}

/** Beside the rest: what the asset is and what it means. */
function Side({ detail }: { detail: AssetDetail }) {
  return (
    <>
      <CriticalityCard criticality={detail.criticality} />
      <AssetFacts detail={detail} />
    </>
  );
}

/** One asset (spec 2, Asset detail). */
export function AssetPage({ id, activity }: AssetPageProps) {
  return (
    <RecordPage entity={asset} id={id} Badges={Badges} Facts={Side}>
      {(detail) => (
        <>
          <FieldTextsCard names={assetTexts} />
          <div className="grid items-start gap-4 2xl:grid-cols-2">
            <SecurityProfile detail={detail} />
            <BusinessImpact detail={detail} />
          </div>
          <RiskTrend id={id} />
          <ThreatScenario detail={detail} />
          <SuggestedRecords assetId={id} />
          <RelationshipsCard detail={detail} />
          <BlastRadiusCard origin={detail} />
          {activity}
        </>
      )}
    </RecordPage>
  );
}
