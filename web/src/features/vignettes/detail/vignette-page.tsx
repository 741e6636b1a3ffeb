import type { Vignette, VignetteContent } from '@riskboard/contract';
import { plural } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isMissing } from '../../../lib/api/errors.ts';
import { useNamedPage } from '../../../lib/browser/page-name.ts';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { DetailColumns } from '../../../ui/layout/detail-columns.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { Prose } from '../../../ui/record/prose.tsx';
import { DeletedPage, RecordLoading } from '../../../ui/record/record-status.tsx';
import { StarterBadge } from '../origin.tsx';
import { versionQuery, vignetteQuery } from '../queries.ts';
import { ScorecardGrid } from '../scorecard/scorecard-grid.tsx';
import { VignetteFailed, vignetteList } from '../vignette-failed.tsx';
import { EarlierVersion } from './earlier-version.tsx';
import { VersionsCard } from './versions-card.tsx';
import { VignetteActions } from './vignette-actions.tsx';
import { VignetteFacts } from './vignette-facts.tsx';

interface VignettePageProps {
  id: string;
  /** Earlier version to show; undefined: the newest one. */
  version: number | undefined;
  /** Its activity, from the feature that owns the log. */
  activity: ReactNode;
}

/** One vignette: its scorecard, its context and its versions. */
export function VignettePage({ id, version, activity }: VignettePageProps) {
  const query = useQuery(vignetteQuery(id));
  const vignette = query.data;
  useNamedPage(vignette?.name);
  if (vignette === undefined && query.error !== null) return <VignetteFailed query={query} />;
  if (vignette === undefined) return <RecordLoading />;
  if (isMissing(query.error))
    return <DeletedPage entity={{ one: 'vignette' }} name={vignette.name} list={vignetteList} />;
  const earlier = version === undefined || version === vignette.version ? undefined : version;
  return (
    <>
      <PageHeader
        title={vignette.name}
        description={
          <span className="mt-1 flex flex-wrap items-center gap-2">
            <StarterBadge origin={vignette.origin} />
            <span>{vignette.scorecardName}</span>
            <span className="tabular-nums">
              Version {vignette.version} · {plural(vignette.ratedCells, 'rated cell')}
            </span>
          </span>
        }
        actions={<VignetteActions vignette={vignette} />}
      />
      <DetailColumns
        sideLast
        side={
          <>
            <VignetteFacts vignette={vignette} />
            <VersionsCard vignette={vignette} shown={earlier ?? vignette.version} />
          </>
        }
      >
        {earlier === undefined ? (
          <Content content={vignette} />
        ) : (
          <Earlier vignette={vignette} version={earlier} />
        )}
        {activity}
      </DetailColumns>
    </>
  );
}

/** An earlier version, read-only, with what differs from the newest one. */
function Earlier({ vignette, version }: { vignette: Vignette; version: number }) {
  const query = useQuery(versionQuery(vignette._id, version));
  if (query.data === undefined) {
    if (query.error === null) return <RecordLoading />;
    return (
      <Card title={`Version ${version}`}>
        <ErrorState
          title="Error Loading Version"
          error={query.error}
          busy={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      </Card>
    );
  }
  return (
    <>
      <EarlierVersion vignette={vignette} earlier={query.data} />
      <Content content={query.data} newest={vignette} title={`Scorecard of version ${version}`} />
    </>
  );
}

interface ContentProps {
  content: VignetteContent;
  /** The newest version, when `content` is an earlier one. */
  newest?: VignetteContent;
  title?: string;
}

const texts = [
  ['description', 'Description'],
  ['businessValueContext', 'Business value context'],
  ['notes', 'Notes'],
] as const satisfies readonly [keyof VignetteContent, string][];

/** The scorecard and the texts of one version. */
function Content({ content, newest, title = 'Scorecard' }: ContentProps) {
  return (
    <>
      <Card title={title}>
        <ScorecardGrid scorecard={content.scorecard} newest={newest?.scorecard} />
      </Card>
      {texts
        .filter(([field]) => content[field] !== '')
        .map(([field, label]) => (
          <Card key={field} title={label}>
            <div className="px-4 py-3">
              <Prose text={content[field]} label={label} />
            </div>
          </Card>
        ))}
    </>
  );
}
