import { projectStatusLabels, type Project } from '@riskboard/contract';
import { formatCount, plural } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import { FolderKanban } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { usePendingRecords } from '../../../lib/entity/pending-records.ts';
import { useFocusAfterDeletion } from '../../../lib/entity/row-focus.ts';
import { useDelayed } from '../../../lib/hooks/use-delayed.ts';
import { useUnusableFilters } from '../../../lib/list/link-filters.ts';
import { cleared, filteredFields } from '../../../lib/list/list-filter.ts';
import { changed, type AnyListState } from '../../../lib/list/list-state.ts';
import { Button } from '../../../ui/button/button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { SearchField } from '../../../ui/input/search-field.tsx';
import { Select } from '../../../ui/input/select.tsx';
import type { HowChanged } from '../../../ui/list/list-control.ts';
import { Freshness, LinkNotice } from '../../../ui/list/list-notices.tsx';
import { ListAnnouncer } from '../../../ui/list/list-announcer.tsx';
import { Pager, rangeText } from '../../../ui/list/pager.tsx';
import { useLastPage } from '../../../ui/list/use-last-page.ts';
import { ProjectCard, ProjectCardSkeleton } from './project-card.tsx';
import { projectsSource, type ProjectsSearch } from './projects-source.ts';

const sorts = [
  { value: '-createdAt', label: 'Newest first' },
  { value: '-updatedAt', label: 'Last updated' },
  { value: 'name', label: 'Name, A to Z' },
  { value: '-startDate', label: 'Latest start' },
  { value: 'startDate', label: 'Earliest start' },
  { value: 'plannedEndDate', label: 'Next planned end' },
  { value: '-assets', label: 'Most assets' },
  { value: '-threats', label: 'Most threats' },
  { value: '-vulnerabilities', label: 'Most vulnerabilities' },
] as const;

const anyStatus = 'any';
const several = 'several';
const statuses = [
  { value: anyStatus, label: 'All statuses' },
  ...Object.entries(projectStatusLabels).map(([value, label]) => ({ value, label })),
];

/** Number of placeholders while the projects load. */
const placeholders = 6;
const grid = 'grid gap-3 sm:gap-4 grid-cols-[repeat(auto-fill,minmax(min(100%,288px),1fr))]';
const row = { id: ({ _id }: Project) => _id, name: ({ name }: Project) => name };
const list = { noun: projectsSource.noun, row, filter: projectsSource.filter };
const noRows: readonly Project[] = [];

interface ProjectsGridProps {
  /** URL state. */
  search: ProjectsSearch;
  onSearch: (search: ProjectsSearch, how?: HowChanged) => void;
  /** Content of the empty state of an organization without projects. */
  empty: { description: ReactNode; action: ReactNode };
}

/** The projects as cards, with search, status filter, sorting and pages (spec 2, Project dashboard). */
export function ProjectsGrid({ search, onSearch, empty }: ProjectsGridProps) {
  const query = useQuery(projectsSource.query(search));
  const { data, error } = query;
  const box = useRef<HTMLElement>(null);
  const listed = usePendingRecords(data?.projects ?? noRows, list, search);
  const shown = data === undefined && listed.pending.size === 0 ? undefined : listed.rows;
  const total = Math.max(0, (data?.total ?? 0) - listed.hiddenCount);
  const isSlow = useDelayed(shown === undefined);
  const unusableFilters = useUnusableFilters(projectsSource, search);
  useFocusAfterDeletion(box, projectsSource.noun, data && shown?.map(row.id));

  const isKnown = data !== undefined && !query.isPlaceholderData;
  useLastPage({ page: search.page, pageSize: search.pageSize, total: isKnown ? total : undefined }, (page) =>
    onSearch({ ...search, page }, { replace: true }),
  );

  const state = search as unknown as AnyListState;
  const isNarrowed = search.search !== '' || filteredFields(projectsSource.fields, state).length > 0;
  const isBare = !isNarrowed && shown?.length === 0 && !query.isPlaceholderData;
  const reset = () => {
    onSearch(cleared(projectsSource.fields, state, projectsSource.extra));
    // The button disappears; the filters stay.
    box.current?.querySelector<HTMLElement>('button[role=combobox]')?.focus({ preventScroll: true });
  };
  const failed = data === undefined && error !== null;
  const noun = total === 1 ? 'project' : 'projects';
  const rowsText = `${total === 0 ? '0' : rangeText({ ...search, total })} ${noun}`;

  return (
    <section ref={box} aria-label="Projects" className="flex flex-col gap-3 sm:gap-4">
      {!isBare && (
        <Tools search={search} onSearch={onSearch}>
          {isNarrowed && (
            <Button size="sm" variant="ghost" onClick={reset}>
              Clear filters
            </Button>
          )}
          <span className="text-sm text-muted tabular-nums">{isKnown && plural(total, 'project')}</span>
        </Tools>
      )}
      <LinkNotice unusable={unusableFilters} bare />
      {failed && (
        <div className="rounded border bg-surface">
          <ErrorState
            title="Failed to load projects."
            error={error}
            busy={query.isFetching}
            onRetry={() => void query.refetch()}
          />
        </div>
      )}
      {shown === undefined && !failed && (
        <output aria-label="Loading projects" className={grid}>
          {Array.from({ length: placeholders }, (_, n) =>
            isSlow ? <ProjectCardSkeleton key={n} /> : <span key={n} className="min-h-46" />,
          )}
        </output>
      )}
      {shown !== undefined && shown.length > 0 && (
        <div className={`${grid} ${query.isPlaceholderData ? 'opacity-60' : ''}`}>
          {shown.map((project, index) => (
            <ProjectCard
              key={project._id}
              project={project}
              index={index}
              isPending={listed.pending.has(project._id)}
            />
          ))}
        </div>
      )}
      {shown?.length === 0 && (
        <div className="rounded border bg-surface">
          <EmptyState
            icon={<FolderKanban aria-hidden size={20} />}
            title="No projects found."
            {...(isNarrowed
              ? {
                  description: 'Nothing matches the search and filters.',
                  action: <Button onClick={reset}>Clear filters</Button>,
                }
              : empty)}
          />
        </div>
      )}
      <ListAnnouncer
        of={JSON.stringify([search.page, search.pageSize, projectsSource.filter(search)])}
        text={isKnown ? rowsText : undefined}
      />
      <Freshness query={query} failure="Failed to load projects." />
      {total > (projectsSource.pageSizes[0] ?? 0) && (
        <div className="rounded border bg-surface">
          <Pager
            label="Projects per page"
            page={search.page}
            pageSize={search.pageSize}
            pageSizes={projectsSource.pageSizes}
            total={total}
            quiet
            onPage={(page) => onSearch({ ...search, page })}
            onPageSize={(pageSize) => onSearch(changed(search, { pageSize }))}
          />
        </div>
      )}
    </section>
  );
}

/** Search, status and order of the projects. */
function Tools({
  search,
  onSearch,
  children,
}: Pick<ProjectsGridProps, 'search' | 'onSearch'> & { children: ReactNode }) {
  const chosen = search.status ?? [];
  // A shared link may filter by more than one.
  const isSeveral = chosen.length > 1;
  const items = isSeveral
    ? [...statuses, { value: several, label: `${formatCount(chosen.length)} statuses` }]
    : statuses;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchField
        label="Search projects"
        placeholder="Search projects"
        value={search.search}
        onChange={(text) => onSearch(changed(search, { search: text }), { replace: search.search !== '' })}
      />
      <Select
        label="Status"
        hideLabel
        items={items}
        value={isSeveral ? several : (chosen[0] ?? anyStatus)}
        onChange={(status) =>
          status !== several &&
          onSearch(changed(search, { status: status === anyStatus ? undefined : [status] }))
        }
      />
      <Select
        label="Sort by"
        hideLabel
        items={sorts.some(({ value }) => value === search.sort) ? sorts : [...sorts, otherSort(search.sort)]}
        value={search.sort}
        onChange={(sort) => onSearch(changed(search, { sort }))}
      />
      <span className="grow" />
      {children}
    </div>
  );
}

/** An order that a link names and the control does not offer: '-progress' is 'Progress, descending'. */
function otherSort(sort: string) {
  const name = sort.replace(/^-/u, '');
  const fields: Readonly<Record<string, { label: string } | undefined>> = projectsSource.fields;
  const label = fields[name]?.label ?? name;
  return { value: sort, label: sort.startsWith('-') ? `${label}, descending` : label };
}
