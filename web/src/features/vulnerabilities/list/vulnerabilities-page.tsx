import { vulnerabilities } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { Bug, Plus } from 'lucide-react';
import { timeRangeLabels } from '../../../lib/list/time-range.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { LinkButton } from '../../../ui/button/link-button.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { defineListView } from '../../../ui/list/define-list-view.ts';
import { ListPage } from '../../../ui/list/list-page.tsx';
import { ImportLink } from '../../../ui/record/import-link.tsx';
import { entityColumns, valueLabels } from '../../../ui/record/entity-columns.tsx';
import { NameCell } from '../../../ui/record/record-links.tsx';
import { lazyPeek } from '../../../ui/record/lazy-list-parts.tsx';
import { peekProps, type ImportableListProps } from '../../../ui/record/record-list.ts';
import { useRelatedLabels } from '../../../ui/record/use-related-labels.ts';
import { StatusBadge } from '../../../ui/badge/status-badge.tsx';
import { CwssCell, StaleBanner, VulnerabilityMenu, vulnerabilityBulkActions } from '../cwss/list-parts.tsx';
import { WeaknessPanel } from '../detail/weakness.tsx';
import { vulnerability } from '../vulnerability.ts';
import { vulnerabilitiesSource, type VulnerabilitiesSearch } from './vulnerability-sources.ts';
import { VulnerabilityMetrics } from './vulnerability-metrics.tsx';

/** Spec 2, Vulnerabilities table. */
const view = defineListView(vulnerabilitiesSource, {
  label: 'Vulnerabilities',
  nouns: vulnerability,
  row: { id: (row) => row._id, name: (row) => row.name },
  columns: entityColumns(
    { fields: vulnerabilitiesSource.fields, entity: vulnerability },
    {
      columns: [
        {
          field: 'name',
          rowHeader: true,
          alsoShows: ['cveId'],
          cell: (row) => <NameCell noun="vulnerabilities" row={row} about={[row.cveId]} />,
        },
        { field: 'categoryId', from: 'md', width: 144, narrowWidth: 128 },
        { field: 'severity', width: 128, narrowWidth: 112 },
        { field: 'status', from: 'sm', cell: (row) => <StatusBadge status={row.status} /> },
        { field: 'cvssScore', from: 'sm', width: 128, narrowWidth: 112 },
        { field: 'discoveryDate', from: 'md' },
        {
          field: 'cwssScore',
          hidden: true,
          width: 112,
          align: 'left',
          alsoShows: ['cwssState', 'cwssStale', 'cwssOverrides'],
          cell: (row) => <CwssCell row={row} />,
        },
        { field: 'createdAt', hidden: true },
        {
          id: 'actions',
          label: 'Actions',
          hideLabel: true,
          last: true,
          cell: (row) => <VulnerabilityMenu row={row} />,
        },
      ],
      without: ['withdrawn', 'cwssState', 'cwssStale', 'cwssOverrides'],
    },
  ),
  filters: [
    'severity',
    'status',
    'categoryId',
    'cvssScore',
    'discoveryDate',
    'cveId',
    'cwe',
    'cvssVersion',
    'cwssScore',
    'cwssState',
    'cwssOverrides',
    'appliedVignette',
    'exploitability',
    'impact',
    'sourceFile',
    'withdrawn',
    'fixDate',
    'createdAt',
    'updatedAt',
  ],
  labels: valueLabels(vulnerability),
  texts: {
    search: 'Search vulnerabilities',
    empty: 'No vulnerabilities found.',
    failure: 'Failed to load vulnerabilities.',
  },
});

const relatedTo = { any: 'Related to an asset', 'mission-critical': 'Related to a mission-critical asset' };

const Peek = lazyPeek(async () => (await import('../detail/vulnerability-peek.tsx')).VulnerabilityPeek);

/** Every vulnerability of the organization (spec 2, Vulnerabilities table). */
export function VulnerabilitiesPage({
  search,
  onSearch,
  fileName,
  firstAction,
}: ImportableListProps<VulnerabilitiesSearch>) {
  const query = useQuery(vulnerabilitiesSource.query(search));
  return (
    <>
      <PageHeader
        title="Vulnerabilities"
        description="Every vulnerability of your organization."
        actions={
          <>
            <ImportLink noun="vulnerabilities" />
            <LinkButton
              to="/dashboard/vulnerabilities/new"
              variant="primary"
              icon={<Plus aria-hidden size={16} />}
              disabledReason={useRefusal(vulnerabilities.create.access)}
            >
              New vulnerability
            </LinkButton>
          </>
        }
      />
      <VulnerabilityMetrics />
      <ListPage
        view={view}
        query={query}
        search={search}
        onSearch={onSearch}
        {...peekProps(Peek, { search, onSearch })}
        extraLabels={{
          fileId: `File: ${fileName ?? '…'}`,
          ...useRelatedLabels(search),
          vignetteId: 'Scored with one vignette',
          alert: 'Reported by one alert',
          severityAbove: `Severity: above ${search.severityAbove ?? ''}`,
          onAssets: relatedTo[search.onAssets ?? 'any'],
          ...timeRangeLabels('statusChangedAt', 'Status changed', search),
          ...timeRangeLabels('severityChangedAt', 'Severity changed', search),
        }}
        bulk={vulnerabilityBulkActions}
        banner={<StaleBanner source={vulnerabilitiesSource} search={search} list={query.data} />}
        empty={{
          icon: <Bug aria-hidden size={20} />,
          description:
            'Extract vulnerability data from an uploaded report, import a CSV file, or create one yourself.',
          action: (
            <div className="flex flex-wrap justify-center gap-2">
              {firstAction}
              <ImportLink noun="vulnerabilities" />
            </div>
          ),
        }}
      />
      <WeaknessPanel />
    </>
  );
}
