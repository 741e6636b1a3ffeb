import { useQuery } from '@tanstack/react-query';
import { ShieldAlert } from 'lucide-react';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import type { HowChanged } from '../../ui/list/list-control.ts';
import { ListPage } from '../../ui/list/list-page.tsx';
import { threatDataSource, type ThreatDataSearch } from './threats-source.ts';
import { threatDataView } from './threat-data-view.tsx';
import { selectedThreats } from './selection-buttons.tsx';
import { LazyThreatPeek } from './lazy-threat-peek.tsx';

interface ThreatDataPageProps {
  search: ThreatDataSearch;
  onSearch: (search: ThreatDataSearch, how?: HowChanged) => void;
  /** Name of the file that `search.fileId` means, once it is known. */
  fileName: string | undefined;
}

/** Threats that reports assert (spec 2, Threat data list). */
export function ThreatDataPage({ search, onSearch, fileName }: ThreatDataPageProps) {
  const query = useQuery(threatDataSource.query(search));
  const peek = (id: string | undefined) =>
    onSearch({ ...search, peek: id }, { replace: search.peek !== undefined });
  return (
    <>
      <PageHeader title="Threat data" description="What the uploaded reports say about threats." />
      <ListPage
        view={threatDataView}
        query={query}
        search={search}
        onSearch={onSearch}
        onOpen={({ _id }) => peek(_id)}
        extraWords={{ fileId: `File: ${fileName ?? '…'}` }}
        bulk={selectedThreats}
        empty={{
          icon: <ShieldAlert aria-hidden size={20} />,
          description: 'Extract threat data from an uploaded report to see it here.',
        }}
      />
      <LazyThreatPeek id={search.peek} ids={query.data?.threats.map(({ _id }) => _id) ?? []} onId={peek} />
    </>
  );
}
