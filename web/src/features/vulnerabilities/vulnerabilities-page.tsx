import { vulnerabilities } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { Bug, Plus } from 'lucide-react';
import { useRefusal } from '../../lib/write-refusal.ts';
import { LinkButton } from '../../ui/button/link-button.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import type { HowChanged } from '../../ui/list/list-control.ts';
import { ListPage } from '../../ui/list/list-page.tsx';
import { vulnerabilitiesSource, type VulnerabilitiesSearch } from './vulnerabilities-source.ts';
import { vulnerabilitiesView } from './vulnerabilities-view.tsx';
import { VulnerabilityMetrics } from './vulnerability-metrics.tsx';
import { selectedVulnerabilities } from './selection-buttons.tsx';
import { WeaknessPanel } from './weakness-panel.tsx';
import { LazyVulnerabilityPeek } from './lazy-vulnerability-peek.tsx';

interface VulnerabilitiesPageProps {
  search: VulnerabilitiesSearch;
  onSearch: (search: VulnerabilitiesSearch, how?: HowChanged) => void;
  /** Name of the file that `search.fileId` means, once it is known. */
  fileName: string | undefined;
}

/** Every vulnerability of the organization (spec 2, Vulnerabilities table). */
export function VulnerabilitiesPage({ search, onSearch, fileName }: VulnerabilitiesPageProps) {
  const query = useQuery(vulnerabilitiesSource.query(search));
  const peek = (id: string | undefined) =>
    onSearch({ ...search, peek: id }, { replace: search.peek !== undefined });
  return (
    <>
      <PageHeader
        title="Vulnerabilities"
        description="Every vulnerability of your organization."
        actions={
          <LinkButton
            to="/dashboard/vulnerabilities/new"
            variant="primary"
            icon={<Plus aria-hidden size={16} />}
            disabledReason={useRefusal(vulnerabilities.create.access)}
          >
            New vulnerability
          </LinkButton>
        }
      />
      <VulnerabilityMetrics />
      <ListPage
        view={vulnerabilitiesView}
        query={query}
        search={search}
        onSearch={onSearch}
        onOpen={({ _id }) => peek(_id)}
        extraWords={{
          fileId: `File: ${fileName ?? '…'}`,
          assetId: 'Related to one asset',
          severityAbove: `Severity: above ${search.severityAbove ?? ''}`,
        }}
        bulk={selectedVulnerabilities}
        empty={{
          icon: <Bug aria-hidden size={20} />,
          description: 'Extract vulnerability data from an uploaded report, or create one yourself.',
        }}
      />
      <LazyVulnerabilityPeek
        id={search.peek}
        ids={query.data?.vulnerabilities.map(({ _id }) => _id) ?? []}
        onId={peek}
      />
      <WeaknessPanel />
    </>
  );
}
