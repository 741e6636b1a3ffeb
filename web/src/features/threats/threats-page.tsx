import { useQuery } from '@tanstack/react-query';
import { ShieldAlert } from 'lucide-react';
import { queryOf } from '../../lib/list-search.ts';
import { FilterChip } from '../../ui/filter-chip.tsx';
import { ListView } from '../../ui/list-view.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { threatDataColumns, threatsColumns } from './columns.tsx';
import { threatsQuery } from './queries.ts';
import type { ThreatsSearch } from './threats-search.ts';

/** The two lists of threats: what reports gave, and all of them (spec 2; texts of spec 8). */
const lists = {
  data: {
    title: 'Threat data',
    description: 'What the uploaded reports say about threats.',
    columns: threatDataColumns,
    texts: { empty: 'No threat data found.', failure: 'Failed to load threat data.' },
  },
  all: {
    title: 'Threats',
    description: 'Every threat of your organization.',
    columns: threatsColumns,
    texts: { empty: 'No threats found.', failure: 'Failed to load threats.' },
  },
} as const;

interface ThreatsPageProps {
  list: keyof typeof lists;
  search: ThreatsSearch;
  onSearch: (search: ThreatsSearch) => void;
  /** Name of the file that `search.fileId` means, once it is known. */
  fileName: string | undefined;
}

export function ThreatsPage({ list, search, onSearch, fileName }: ThreatsPageProps) {
  const { title, description, columns, texts } = lists[list];
  const query = useQuery({
    ...threatsQuery(queryOf(search)),
    select: ({ threats, total }) => ({ rows: threats, total }),
  });
  return (
    <>
      <PageHeader title={title} description={description} />
      <ListView
        label={title}
        columns={columns}
        rowId={(row) => row._id}
        query={query}
        search={search}
        onSearch={onSearch}
        searchLabel="Search threats"
        texts={texts}
        emptyHint={{
          icon: <ShieldAlert aria-hidden size={20} />,
          description: 'Extract threat data from an uploaded report to see it here.',
        }}
        filters={
          search.fileId !== undefined && (
            <FilterChip
              label={`File: ${fileName ?? '…'}`}
              onRemove={() => onSearch({ ...search, page: 1, fileId: undefined })}
            />
          )
        }
        onReset={
          search.fileId === undefined
            ? undefined
            : () => onSearch({ ...search, page: 1, fileId: undefined, search: '' })
        }
      />
    </>
  );
}
