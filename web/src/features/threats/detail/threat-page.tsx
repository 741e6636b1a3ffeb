import type { ThreatDetail } from '@riskboard/contract';
import type { ReactNode } from 'react';
import { fieldText } from '../../../lib/entity/field-text.ts';
import { Badge, RiskBadge, WithdrawnBadge } from '../../../ui/badge/badge.tsx';
import { lazyPart } from '../../../ui/layout/lazy-part.tsx';
import { FieldTextsCard } from '../../../ui/record/field-facts.tsx';
import { RecordGraph, RecordPage, RecordSources } from '../../../ui/record/record-page.tsx';
import { ReportDetails } from '../../../ui/record/report-details.tsx';
import { threat } from '../threat.ts';
import { ActiveBadge } from '../../../ui/badge/active-badge.tsx';
import { ThreatFacts, threatTexts } from './threat-facts.tsx';

const SuggestedAssets = lazyPart(
  async () => (await import('../../../ui/record/suggestions/suggested-assets.tsx')).SuggestedAssets,
);

interface ThreatPageProps {
  id: string;
  /** Its activity, from the feature that owns the log. */
  activity: ReactNode;
}

function Badges({ detail }: { detail: ThreatDetail }) {
  const { threatTypeId, riskLevel, isActive, withdrawn, threatID } = detail;
  return (
    <>
      {threatTypeId !== null && (
        <Badge tone="info">{fieldText(threat.fields.threatTypeId, threatTypeId)}</Badge>
      )}
      {riskLevel !== null && <RiskBadge level={riskLevel} />}
      <ActiveBadge active={isActive} />
      <WithdrawnBadge withdrawn={withdrawn} />
      {threatID !== '' && <span>{threatID}</span>}
    </>
  );
}

/** One threat (spec 2, Threat detail). */
export function ThreatPage({ id, activity }: ThreatPageProps) {
  return (
    <RecordPage entity={threat} id={id} Badges={Badges} Facts={ThreatFacts}>
      {(detail) => (
        <>
          <FieldTextsCard names={threatTexts} />
          <RecordSources />
          <ReportDetails details={detail.details} />
          <SuggestedAssets />
          <RecordGraph label="Relation graph" />
          {activity}
        </>
      )}
    </RecordPage>
  );
}
