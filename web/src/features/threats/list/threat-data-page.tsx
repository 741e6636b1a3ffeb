import { useQuery } from '@tanstack/react-query';
import { ShieldAlert } from 'lucide-react';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { defineListView } from '../../../ui/list/define-list-view.ts';
import { ListPage } from '../../../ui/list/list-page.tsx';
import { entityColumns, valueLabels } from '../../../ui/record/entity-columns.tsx';
import { NameCell } from '../../../ui/record/record-links.tsx';
import { RecordMenu } from '../../../ui/record/record-menu.tsx';
import { bulkActionsOf, lazyPeek } from '../../../ui/record/lazy-list-parts.tsx';
import { peekProps, type ImportableListProps } from '../../../ui/record/record-list.ts';
import { threat } from '../threat.ts';
import { threatDataSource, type ThreatDataSearch } from './threat-sources.ts';

/** Spec 2, Threat data list. */
const view = defineListView(threatDataSource, {
  label: 'Threat data',
  nouns: threat,
  row: { id: (row) => row._id, name: (row) => row.name },
  columns: entityColumns(
    { fields: threatDataSource.fields, entity: threat },
    {
      columns: [
        { field: 'sourceFile', from: 'md', width: 240, narrowWidth: 136 },
        {
          field: 'name',
          rowHeader: 'asDeclared',
          alsoShows: ['kind'],
          cell: (row) => <NameCell noun="threats" row={row} about={[row.kind]} />,
        },
        { field: 'threatID' },
        { field: 'createdAt', from: 'sm', width: 128, narrowWidth: 120 },
        { field: 'kind', hidden: true },
        { field: 'updatedAt', hidden: true },
        {
          id: 'actions',
          label: 'Actions',
          hideLabel: true,
          last: true,
          cell: (row) => <RecordMenu entity={threat} row={row} />,
        },
      ],
      without: 'others',
    },
  ),
  filters: ['sourceFile', 'threatID', 'kind', 'threatTypeId', 'createdAt', 'withdrawn'],
  labels: valueLabels(threat),
  texts: {
    search: 'Search threats',
    empty: 'No threat data found.',
    failure: 'Failed to load threat data.',
  },
});

const Peek = lazyPeek(async () => (await import('../detail/threat-peek.tsx')).ThreatPeek);
const bulkActions = bulkActionsOf(threat);

/** Threats from reports (spec 2, Threat data list). */
export function ThreatDataPage({
  search,
  onSearch,
  fileName,
  firstAction,
}: ImportableListProps<ThreatDataSearch>) {
  const query = useQuery(threatDataSource.query(search));
  return (
    <>
      <PageHeader title="Threat data" description="Threats found in the uploaded reports." />
      <ListPage
        view={view}
        query={query}
        search={search}
        onSearch={onSearch}
        {...peekProps(Peek, { search, onSearch })}
        extraLabels={{ fileId: `File: ${fileName ?? '…'}` }}
        bulk={bulkActions}
        empty={{
          icon: <ShieldAlert aria-hidden size={20} />,
          description: 'Extract threat data from an uploaded report to see it here.',
          action: firstAction,
        }}
      />
    </>
  );
}
