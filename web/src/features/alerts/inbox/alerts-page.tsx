import { useQuery } from '@tanstack/react-query';
import { CheckCheck, Inbox, Settings2 } from 'lucide-react';
import { Button } from '../../../ui/button/button.tsx';
import { LinkButton } from '../../../ui/button/link-button.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import type { HowChanged } from '../../../ui/list/list-control.ts';
import { ListPage } from '../../../ui/list/list-page.tsx';
import type { Selected } from '../../../ui/list/use-selection.ts';
import { unreadQuery } from '../unread-query.ts';
import { alertsSource, type AlertsSearch } from './alerts-source.ts';
import { alertsView } from './alerts-view.tsx';
import { useMarkRead } from './use-mark-read.ts';

interface AlertsPageProps {
  search: AlertsSearch;
  onSearch: (search: AlertsSearch, how?: HowChanged) => void;
}

const newest = alertsSource.query({ ...alertsSource.initial, pageSize: 1 });

/** All alerts, with filters and the member's own read state. */
export function AlertsPage({ search, onSearch }: AlertsPageProps) {
  const query = useQuery(alertsSource.query(search));
  return (
    <>
      <PageHeader
        title="Alerts"
        description="What your alert rules found. Only you see which alerts you have read."
        actions={
          <>
            <LinkButton to="/dashboard/settings/alerts" icon={<Settings2 aria-hidden size={16} />}>
              Alert rules
            </LinkButton>
            <ReadAll />
          </>
        }
      />
      <ListPage
        view={alertsView}
        query={query}
        search={search}
        onSearch={onSearch}
        bulk={bulk}
        empty={{
          icon: <Inbox aria-hidden size={20} />,
          description: 'Rules decide what you are alerted about, such as new critical vulnerabilities.',
          action: (
            <LinkButton to="/dashboard/settings/alerts" variant="primary">
              Set up rules
            </LinkButton>
          ),
        }}
      />
    </>
  );
}

const bulk = (selected: Selected) => <ReadSelected selected={selected} />;

function ReadSelected({ selected }: { selected: Selected }) {
  const mark = useMarkRead();
  return (
    <Button
      size="sm"
      icon={<CheckCheck aria-hidden size={14} />}
      busy={mark.busy}
      onClick={() => mark.selected(selected.selection, selected.clear)}
    >
      Mark as read
    </Button>
  );
}

/** Marks all alerts as read, also those that the filter hides. */
function ReadAll() {
  const { data: unread = 0 } = useQuery(unreadQuery);
  const { data } = useQuery(newest);
  const mark = useMarkRead();
  const first = data?.alerts[0]?._id;
  return (
    <Button
      icon={<CheckCheck aria-hidden size={16} />}
      busy={mark.busy}
      disabled={unread === 0 || first === undefined}
      onClick={() => first !== undefined && mark.allUntil(first)}
    >
      Mark all as read
    </Button>
  );
}
