import { useQuery } from '@tanstack/react-query';
import { Bug } from 'lucide-react';
import { queryOf } from '../../lib/list-search.ts';
import { FilterChip } from '../../ui/filter-chip.tsx';
import { ListView } from '../../ui/list-view.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { vulnerabilitiesColumns } from './columns.tsx';
import { vulnerabilitiesQuery } from './queries.ts';
import type { VulnerabilitiesSearch } from './searches.ts';

interface VulnerabilitiesPageProps {
  search: VulnerabilitiesSearch;
  onSearch: (search: VulnerabilitiesSearch) => void;
  /** Name of the file that `search.fileId` means, once it is known. */
  fileName: string | undefined;
}

/** Every vulnerability of the organisation (spec 2, Vulnerabilities table). */
export function VulnerabilitiesPage({ search, onSearch, fileName }: VulnerabilitiesPageProps) {
  const query = useQuery({
    ...vulnerabilitiesQuery(queryOf(search)),
    select: ({ vulnerabilities, total }) => ({ rows: vulnerabilities, total }),
  });
  const reset = () => onSearch({ ...search, page: 1, fileId: undefined, search: '' });
  return (
    <>
      <PageHeader title="Vulnerabilities" description="Every vulnerability of your organization." />
      <ListView
        label="Vulnerabilities"
        columns={vulnerabilitiesColumns}
        rowId={(row) => row._id}
        query={query}
        search={search}
        onSearch={onSearch}
        searchLabel="Search vulnerabilities"
        texts={{ empty: 'No vulnerabilities found.', failure: 'Failed to load vulnerabilities.' }}
        emptyHint={{
          icon: <Bug aria-hidden size={20} />,
          description: 'Extract vulnerability data from an uploaded report to see it here.',
        }}
        filters={
          search.fileId !== undefined && (
            <FilterChip
              label={`File: ${fileName ?? '…'}`}
              onRemove={() => onSearch({ ...search, page: 1, fileId: undefined })}
            />
          )
        }
        onReset={search.fileId === undefined ? undefined : reset}
      />
    </>
  );
}
