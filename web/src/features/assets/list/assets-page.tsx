import { assets } from '@riskboard/contract';
import { costText, formatCount, plural } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import { Boxes, Plus } from 'lucide-react';
import { useMemo } from 'react';
import { timeRangeLabels } from '../../../lib/list/time-range.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { ActiveBadge } from '../../../ui/badge/active-badge.tsx';
import { HealthBadge } from '../../../ui/badge/asset-badge.tsx';
import { LinkButton } from '../../../ui/button/link-button.tsx';
import { lazyPart } from '../../../ui/layout/lazy-part.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { defineListView } from '../../../ui/list/define-list-view.ts';
import { ListPage } from '../../../ui/list/list-page.tsx';
import type { Selected } from '../../../ui/list/use-selection.ts';
import { ImportLink } from '../../../ui/record/import-link.tsx';
import { entityColumns, valueLabels } from '../../../ui/record/entity-columns.tsx';
import { NameCell } from '../../../ui/record/record-links.tsx';
import { bulkActionsOf, lazyPeek } from '../../../ui/record/lazy-list-parts.tsx';
import { peekProps, type RecordListProps } from '../../../ui/record/record-list.ts';
import { Empty } from '../../../ui/text/empty.tsx';
import { asset } from '../asset.ts';
import { AssetScore } from '../score/asset-score.tsx';
import { AssetMetrics } from './asset-metrics.tsx';
import { assetsSource, type AssetsSearch } from './asset-source.ts';
import { CiaCell } from './cia-cell.tsx';
import { useProjectNames } from './use-project-names.ts';

const CostCell = ({ amount }: { amount: number | null }) =>
  amount === null ? <Empty /> : <span title={`${formatCount(amount)} USD`}>{costText(amount)}</span>;

/** Spec 2, Assets table. */
const view = defineListView(assetsSource, {
  label: 'Assets',
  nouns: asset,
  row: { id: (row) => row._id, name: (row) => row.name },
  columns: entityColumns(
    { fields: assetsSource.fields, entity: asset },
    {
      columns: [
        {
          field: 'name',
          rowHeader: true,
          alsoShows: ['projectId'],
          cell: (row) => <NameCell noun="assets" row={row} about={[row.projectName]} />,
        },
        { field: 'assetTypeId', from: 'md', width: 104, narrowWidth: 96 },
        { field: 'criticality', from: 'sm', width: 112 },
        {
          id: 'cia',
          label: 'CIA',
          from: 'md',
          width: 116,
          narrowWidth: 96,
          alsoShows: ['confidentialityLevel', 'integrityLevel', 'availabilityLevel'],
          cell: (row) => <CiaCell row={row} />,
        },
        {
          field: 'riskScore',
          align: 'left',
          width: 144,
          narrowWidth: 136,
          cell: (row) => <AssetScore id={row._id} name={row.name} score={row.riskScore} />,
        },
        {
          field: 'health',
          from: 'sm',
          width: 112,
          narrowWidth: 104,
          cell: (row) => <HealthBadge health={row.health} />,
        },
        {
          id: 'related',
          label: 'Threats/Vulns',
          from: 'md',
          align: 'right',
          width: 116,
          narrowWidth: 104,
          alsoShows: ['threatCount', 'vulnerabilityCount'],
          cell: (row) => (
            <span
              aria-label={`${plural(row.threatCount, 'threat')}, ${plural(row.vulnerabilityCount, 'vulnerability', 'vulnerabilities')}`}
            >
              {formatCount(row.threatCount)} / {formatCount(row.vulnerabilityCount)}
            </span>
          ),
        },
        { field: 'createdAt', from: 'md', width: 128, narrowWidth: 120 },
        { field: 'threatCount', label: 'Threats', hidden: true },
        { field: 'vulnerabilityCount', label: 'Vulnerabilities', hidden: true },
        { field: 'isActive', hidden: true, cell: (row) => <ActiveBadge active={row.isActive} /> },
        {
          field: 'replacementCost',
          hidden: true,
          cell: (row) => <CostCell amount={row.replacementCost} />,
        },
        { field: 'recoveryCost', hidden: true, cell: (row) => <CostCell amount={row.recoveryCost} /> },
      ],
      without: ['status', 'projectId'],
    },
  ),
  filters: [
    'status',
    'projectId',
    'assetTypeId',
    'criticality',
    'health',
    'riskScore',
    'confidentialityLevel',
    'integrityLevel',
    'availabilityLevel',
    'isActive',
    'threatCount',
    'vulnerabilityCount',
    'replacementCost',
    'recoveryCost',
    'startDate',
    'createdAt',
    'updatedAt',
  ],
  labels: valueLabels(asset),
  texts: { search: 'Search assets', empty: 'No assets found.', failure: 'Failed to load assets.' },
});

const Peek = lazyPeek(async () => (await import('../detail/asset-peek.tsx')).AssetPeek);
const editAndDelete = bulkActionsOf(asset);
const RelateSelected = lazyPart(async () => (await import('../relating/relate-selected.tsx')).RelateSelected);
const bulkActions = (selected: Selected) => (
  <>
    <RelateSelected selected={selected} />
    {editAndDelete(selected)}
  </>
);

/** The list with the names of projects in its filters; the URL has only their ids. */
const withProjectNames = (names: ReadonlyMap<string, string>): typeof view => ({
  ...view,
  labelOf: (field, value) =>
    field === 'projectId' ? (names.get(value) ?? 'One project') : view.labelOf(field, value),
});

/** Every asset of the organization (spec 2, Assets table). */
export function AssetsPage({ search, onSearch }: RecordListProps<AssetsSearch>) {
  const query = useQuery(assetsSource.query(search));
  const names = useProjectNames(search.projectId, query.data?.assets);
  const named = useMemo(() => withProjectNames(names), [names]);
  return (
    <>
      <PageHeader
        title="Assets"
        description="What your organization protects, by project."
        actions={
          <>
            <ImportLink noun="assets" />
            <LinkButton
              to="/dashboard/assets/new"
              variant="primary"
              icon={<Plus aria-hidden size={16} />}
              disabledReason={useRefusal(assets.create.access)}
            >
              New asset
            </LinkButton>
          </>
        }
      />
      <AssetMetrics />
      <ListPage
        view={named}
        query={query}
        search={search}
        onSearch={onSearch}
        {...peekProps(Peek, { search, onSearch })}
        extraLabels={{
          threatId: 'Related to one threat',
          vulnerabilityId: 'Related to one vulnerability',
          dependsOn: 'Depends on one asset',
          alert: 'Reported by one alert',
          ...timeRangeLabels('riskChangedAt', 'Risk changed', search),
        }}
        bulk={bulkActions}
        empty={{
          icon: <Boxes aria-hidden size={20} />,
          description: 'Create an asset in a project to see its risk here, or import a CSV file.',
          action: <ImportLink noun="assets" />,
        }}
      />
    </>
  );
}
