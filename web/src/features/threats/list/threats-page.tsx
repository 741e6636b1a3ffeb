import { threats } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { Plus, ShieldAlert } from 'lucide-react';
import { timeRangeLabels } from '../../../lib/list/time-range.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { RiskBadge } from '../../../ui/badge/badge.tsx';
import { LinkButton } from '../../../ui/button/link-button.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { defineListView } from '../../../ui/list/define-list-view.ts';
import { ListPage } from '../../../ui/list/list-page.tsx';
import { entityColumns, valueLabels } from '../../../ui/record/entity-columns.tsx';
import { NameCell } from '../../../ui/record/record-links.tsx';
import { bulkActionsOf, lazyPeek } from '../../../ui/record/lazy-list-parts.tsx';
import { peekProps, type ImportableListProps } from '../../../ui/record/record-list.ts';
import { useRelatedLabels } from '../../../ui/record/use-related-labels.ts';
import { ActiveBadge } from '../../../ui/badge/active-badge.tsx';
import { threat } from '../threat.ts';
import { ThreatMetrics } from './threat-metrics.tsx';
import { threatsSource, type ThreatsSearch } from './threat-sources.ts';

/** Spec 2, Threats list. */
const view = defineListView(threatsSource, {
  label: 'Threats',
  nouns: threat,
  row: { id: (row) => row._id, name: (row) => row.name },
  columns: entityColumns(
    { fields: threatsSource.fields, entity: threat },
    {
      columns: [
        {
          field: 'name',
          rowHeader: true,
          alsoShows: ['threatID', 'kind'],
          cell: (row) => <NameCell noun="threats" row={row} about={[row.threatID, row.kind]} />,
        },
        { field: 'threatTypeId', from: 'sm', width: 152 },
        { field: 'motivation', from: 'md' },
        { field: 'capability', from: 'md' },
        { field: 'impact', from: 'md' },
        { field: 'riskLevel', align: 'left', width: 128, cell: (row) => <RiskBadge level={row.riskLevel} /> },
        { field: 'createdAt', label: 'Created', from: 'md', width: 128, narrowWidth: 120 },
        { field: 'isActive', hidden: true, cell: (row) => <ActiveBadge active={row.isActive} /> },
      ],
      without: ['risk', 'withdrawn'],
    },
  ),
  filters: [
    'risk',
    'threatTypeId',
    'isActive',
    'riskLevel',
    'motivation',
    'capability',
    'likelihood',
    'impact',
    'threatCategory',
    'kind',
    'threatID',
    'sourceFile',
    'withdrawn',
    'createdAt',
    'updatedAt',
  ],
  labels: valueLabels(threat),
  texts: { search: 'Search threats', empty: 'No threats found.', failure: 'Failed to load threats.' },
});

const Peek = lazyPeek(async () => (await import('../detail/threat-peek.tsx')).ThreatPeek);
const bulkActions = bulkActionsOf(threat);

/** Every threat of the organization (spec 2, Threats list). */
export function ThreatsPage({ search, onSearch, fileName, firstAction }: ImportableListProps<ThreatsSearch>) {
  const query = useQuery(threatsSource.query(search));
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
        view={view}
        query={query}
        search={search}
        onSearch={onSearch}
        {...peekProps(Peek, { search, onSearch })}
        extraLabels={{
          fileId: `File: ${fileName ?? '…'}`,
          ...useRelatedLabels(search),
          riskLevelAbove: `Risk Level: above ${search.riskLevelAbove ?? ''}`,
          ...timeRangeLabels('levelChangedAt', 'Risk level changed', search),
        }}
        bulk={bulkActions}
        empty={{
          icon: <ShieldAlert aria-hidden size={20} />,
          description: 'Extract threat data from an uploaded report, or create one yourself.',
          action: firstAction,
        }}
      />
    </>
  );
}
