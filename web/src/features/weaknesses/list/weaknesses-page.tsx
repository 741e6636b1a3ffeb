import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { LibraryBig } from 'lucide-react';
import { Checkbox } from '../../../ui/input/checkbox.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import type { HowChanged } from '../../../ui/list/list-control.ts';
import { ListPage } from '../../../ui/list/list-page.tsx';
import { CatalogueBar } from './catalogue-bar.tsx';
import { weaknessesSource, type WeaknessesSearch } from './weaknesses-source.ts';
import { weaknessesView } from './weaknesses-view.tsx';

interface WeaknessesPageProps {
  search: WeaknessesSearch;
  onSearch: (search: WeaknessesSearch, how?: HowChanged) => void;
}

/** The weakness catalogue: which entries it has, and which of them the organization's vulnerabilities carry. */
export function WeaknessesPage({ search, onSearch }: WeaknessesPageProps) {
  const query = useQuery(weaknessesSource.query(search));
  const navigate = useNavigate();
  const isCarried = search.vulnerabilitiesMin === 1;
  return (
    <>
      <PageHeader
        title="Weaknesses"
        description="MITRE’s catalogue of weaknesses (CWE), and which of them your vulnerabilities carry."
      />
      <CatalogueBar />
      <ListPage
        view={weaknessesView}
        query={query}
        search={search}
        onSearch={onSearch}
        onOpen={({ ID }) => void navigate({ to: '/dashboard/weaknesses/$id', params: { id: ID } })}
        tools={
          <Checkbox
            label="Only in your vulnerabilities"
            checked={isCarried}
            onChange={(checked) =>
              onSearch({ ...search, page: 1, vulnerabilitiesMin: checked ? 1 : undefined })
            }
          />
        }
        empty={{
          icon: <LibraryBig aria-hidden size={20} />,
          description: 'The catalogue has no entries.',
        }}
      />
    </>
  );
}
