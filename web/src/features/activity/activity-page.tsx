import { activity } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { Download, History } from 'lucide-react';
import { addressOf } from '../../lib/call.ts';
import { formatDate } from '../../lib/format.ts';
import { saveFrom } from '../../lib/save-as.ts';
import { useUser } from '../../lib/use-user.ts';
import { Button } from '../../ui/button.tsx';
import { ListView } from '../../ui/list-view.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { activityColumns } from './activity-columns.tsx';
import { ActivityFilters } from './activity-filters.tsx';
import {
  type ActivitySearch,
  activityQueryOf,
  exportQueryOf,
  isFiltered,
  unfiltered,
} from './activity-search.ts';
import { personOf } from './person.ts';
import { activityQuery } from './queries.ts';

interface ActivityPageProps {
  search: ActivitySearch;
  onSearch: (search: ActivitySearch) => void;
}

const descriptions = {
  owner: 'Who did what, when and from where. Nothing here can be changed.',
  everyone: 'Who did what, and when. Owners also see sign-ins and changes of the organization.',
} as const;

/** The log of the organization: people, deeds and times, narrowed and exported. */
export function ActivityPage({ search, onSearch }: ActivityPageProps) {
  const view = useUser().role === 'owner' ? 'owner' : 'everyone';
  const query = useQuery(activityQuery(activityQueryOf(search)));
  const { data } = query;
  const filtered = isFiltered(search);
  const since = data?.searchedSince ?? null;

  return (
    <>
      <PageHeader
        title="Activity"
        description={descriptions[view]}
        actions={
          <Button
            icon={<Download aria-hidden size={16} />}
            onClick={() =>
              saveFrom(addressOf(activity.export, { query: exportQueryOf(search) }), 'activity.csv')
            }
          >
            Export CSV
          </Button>
        }
      />
      <ListView
        label="Activity"
        columns={activityColumns[view]}
        rowId={(entry) => entry._id}
        query={{ ...query, data: data && { rows: data.activity, total: data.total } }}
        search={search}
        onSearch={onSearch}
        searchLabel="Search activity"
        texts={{ empty: 'No activity found.', failure: 'Failed to load activity.' }}
        emptyHint={{
          icon: <History aria-hidden size={20} />,
          description: 'What people do here is written down: uploads, extractions, edits and deletions.',
        }}
        filters={
          <ActivityFilters
            search={search}
            onFilter={(change) => onSearch({ ...search, page: 1, ...change })}
            thing={personOf(data?.activity.find(({ nounId }) => nounId === search.nounId)?.name ?? '').name}
          />
        }
        onReset={filtered ? () => onSearch({ ...search, ...unfiltered }) : undefined}
        banner={
          since !== null && (
            <output className="block border-b bg-info-soft px-4 py-2 text-sm text-info">
              The log is long: this search looked back to {formatDate(since)}. Choose days to look further
              back.
            </output>
          )
        }
      />
    </>
  );
}
