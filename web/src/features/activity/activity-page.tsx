import type { ActivityEntry } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { formatDate } from '../../lib/format/format.ts';
import { nameText } from '../../lib/format/name-text.ts';
import { useUser } from '../../lib/session/account.ts';
import { useProjectName } from '../../ui/form/controls/use-project-name.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import type { HowChanged } from '../../ui/list/list-control.ts';
import { ListPage } from '../../ui/list/list-page.tsx';
import { activitySource, type ActivitySearch } from './activity-source.ts';
import { activityView, type Names } from './activity-view.tsx';
import { personOf } from './person.tsx';
import { peopleQuery } from './queries.ts';

interface ActivityPageProps {
  search: ActivitySearch;
  onSearch: (search: ActivitySearch, how?: HowChanged) => void;
  /** Button of the empty list. */
  firstAction: ReactNode;
}

const descriptions = {
  owner: 'An audit trail of all activity. Read-only.',
  everyone: 'An audit trail of activity. Owners also see logins and changes to the organization.',
} as const;

/** The activity log of the organization, with filters and export. */
export function ActivityPage({ search, onSearch, firstAction }: ActivityPageProps) {
  const reader = useUser().role === 'owner' ? 'owner' : 'everyone';
  const query = useQuery(activitySource.query(search));
  const names = useNames(search, query.data?.activity);
  const view = useMemo(() => activityView[reader](names), [reader, names]);
  const projectName = useProjectName(search.projectId ?? null);
  const since = query.data?.searchedSince ?? null;

  return (
    <>
      <PageHeader title="Activity" description={descriptions[reader]} />
      <ListPage
        view={view}
        query={query}
        search={search}
        onSearch={onSearch}
        extraLabels={{ projectId: `Project and its assets: ${nameText(projectName ?? '…')}` }}
        empty={{
          icon: <History aria-hidden size={20} />,
          description: 'Uploads, extractions, edits and deletions appear here.',
          action: firstAction,
        }}
        banner={
          since !== null && (
            <output className="block border-b bg-info-soft px-4 py-2 text-sm text-info">
              The log is long. This search covers entries since {formatDate(since)}. Filter by date to search
              older entries.
            </output>
          )
        }
      />
    </>
  );
}

/** Names of the person and object that the log is filtered by; the URL has only their ids. */
function useNames({ actorId }: ActivitySearch, entries: readonly ActivityEntry[] | undefined): Names {
  const { data: people } = useQuery({ ...peopleQuery, enabled: actorId !== undefined });
  return useMemo(() => {
    const actors = new Map(people?.map(({ value, label = '' }) => [value, label]));
    const things = new Map(entries?.map(({ nounId, name }) => [nounId, name]));
    return {
      actorId: (id) => personOf(actors.get(id) ?? '').name || 'One user',
      nounId: (id) => personOf(things.get(id) ?? '').name || 'One object',
    };
  }, [people, entries]);
}
