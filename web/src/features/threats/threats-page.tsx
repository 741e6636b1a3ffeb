import { threats } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { Plus, ShieldAlert } from 'lucide-react';
import { useRefusal } from '../../lib/write-refusal.ts';
import { LinkButton } from '../../ui/button/link-button.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import type { HowChanged } from '../../ui/list/list-control.ts';
import { ListPage } from '../../ui/list/list-page.tsx';
import { threatsSource, type ThreatsSearch } from './threats-source.ts';
import { threatsView } from './threats-view.tsx';
import { ThreatMetrics } from './threat-metrics.tsx';
import { selectedThreats } from './selection-buttons.tsx';
import { LazyThreatPeek } from './lazy-threat-peek.tsx';

interface ThreatsPageProps {
  search: ThreatsSearch;
  onSearch: (search: ThreatsSearch, how?: HowChanged) => void;
  /** Name of the file that `search.fileId` means, once it is known. */
  fileName: string | undefined;
}

/** Every threat of the organization (spec 2, Threats list). */
export function ThreatsPage({ search, onSearch, fileName }: ThreatsPageProps) {
  const query = useQuery(threatsSource.query(search));
  const peek = (id: string | undefined) =>
    onSearch({ ...search, peek: id }, { replace: search.peek !== undefined });
  return (
    <>
      <PageHeader
        title="Threats"
        description="Every threat of your organization."
        actions={
          <LinkButton
            to="/dashboard/threats/new"
            variant="primary"
            icon={<Plus aria-hidden size={16} />}
            disabledReason={useRefusal(threats.create.access)}
          >
            New threat
          </LinkButton>
        }
      />
      <ThreatMetrics />
      <ListPage
        view={threatsView}
        query={query}
        search={search}
        onSearch={onSearch}
        onOpen={({ _id }) => peek(_id)}
        extraWords={{
          fileId: `File: ${fileName ?? '…'}`,
          assetId: 'Related to one asset',
          riskLevelAbove: `Risk Level: above ${search.riskLevelAbove ?? ''}`,
        }}
        bulk={selectedThreats}
        empty={{
          icon: <ShieldAlert aria-hidden size={20} />,
          description: 'Extract threat data from an uploaded report, or create one yourself.',
        }}
      />
      <LazyThreatPeek id={search.peek} ids={query.data?.threats.map(({ _id }) => _id) ?? []} onId={peek} />
    </>
  );
}
