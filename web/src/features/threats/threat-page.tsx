import { threats, type ThreatDetail } from '@riskboard/contract';
import { threatTypes } from '@riskboard/domain';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { downloadRecord } from '../../lib/browser/save-as.ts';
import { useNamedPage } from '../../lib/browser/page-name.ts';
import { useDeleteThreat } from '../../lib/record-mutations.ts';
import { threatQuery } from '../../lib/record-queries.ts';
import { levelWord } from '../../lib/record-words.ts';
import { useRefusal } from '../../lib/write-refusal.ts';
import { Badge, RiskBadge, WithdrawnBadge } from '../../ui/badge/badge.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { RecordFields } from '../../ui/record/facts.tsx';
import { Passage } from '../../ui/record/passage.tsx';
import { RecordActions } from '../../ui/record/record-actions.tsx';
import { RecordFailed } from '../../ui/record/record-failed.tsx';
import { RecordLayout } from '../../ui/record/record-layout.tsx';
import { RecordLoading } from '../../ui/record/record-loading.tsx';
import { RelatedAssets } from '../../ui/record/related-assets.tsx';
import { ReportDetails } from '../../ui/record/report-details.tsx';
import { RecordGraph, SourcesCard } from '../../ui/record/later.tsx';
import { ActiveBadge } from './active-badge.tsx';
import { EditThreatLink } from './edit-threat-link.tsx';
import { ThreatFacts } from './threat-facts.tsx';

interface ThreatPageProps {
  id: string;
  /** What was done to it, from the feature that keeps the log. */
  activity: ReactNode;
}

/** All of one threat (spec 2, Threat detail). */
export function ThreatPage({ id, activity }: ThreatPageProps) {
  const query = useQuery(threatQuery(id));
  const { data: detail, error } = query;
  useNamedPage(detail?.name);
  if (detail === undefined && error !== null) {
    return (
      <RecordFailed noun="Threat" title="Error Loading Threat" query={query} list="/dashboard/threats">
        All threats
      </RecordFailed>
    );
  }
  if (detail === undefined) return <RecordLoading />;
  return (
    <RecordFields noun="threats" record={detail}>
      <ThreatHeader detail={detail} />
      <RecordLayout
        aside={
          <>
            <ThreatFacts detail={detail} />
            <RelatedAssets assets={detail.relatedAssets} />
          </>
        }
      >
        <Card>
          <div className="divide-y">
            <Passage label="Description" field="description" text={detail.description} />
            <Passage
              label="Compensating Controls"
              field="mitigationStrategy"
              text={detail.mitigationStrategy}
            />
          </div>
        </Card>
        <RecordGraph
          noun="threats"
          id={id}
          label="Relation graph"
          action={<EditThreatLink id={id} label="Relate assets" />}
        />
        {detail.imported && <SourcesCard noun="threats" record={detail} />}
        <ReportDetails details={detail.details} />
        {activity}
      </RecordLayout>
    </RecordFields>
  );
}

function ThreatHeader({ detail }: { detail: ThreatDetail }) {
  const { _id: id, name } = detail;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const remove = useDeleteThreat();
  const refusal = useRefusal(threats.delete.access);
  const type = levelWord(threatTypes, detail.threatTypeId);
  return (
    <PageHeader
      title={<span className="break-words">{name}</span>}
      description={
        <span className="mt-1 flex flex-wrap items-center gap-2">
          {type !== undefined && <Badge tone="info">{type}</Badge>}
          <RiskBadge level={detail.riskLevel} />
          <ActiveBadge active={detail.isActive} />
          <WithdrawnBadge withdrawn={detail.withdrawn} />
          {detail.threatID !== '' && <span>{detail.threatID}</span>}
        </span>
      }
      actions={
        <RecordActions
          id={id}
          edit={<EditThreatLink id={id} primary />}
          deleting={remove.isPending}
          refusal={refusal}
          onDownload={() => void downloadRecord(() => queryClient.fetchQuery(threatQuery(id)))}
          onDelete={() => remove.mutate(id, { onSuccess: () => void navigate({ to: '/dashboard/threats' }) })}
        />
      }
    />
  );
}
