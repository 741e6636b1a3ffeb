import { alertList, type Alert } from '@riskboard/contract';
import { defineListView } from '../../../ui/list/define-list-view.ts';
import { Time } from '../../../ui/text/time.tsx';
import { hiddenFrom } from '../../../ui/table/table-style.ts';
import { AlertLink } from './alert-link.tsx';
import { AlertSeverity } from './alert-severity.tsx';
import { alertsSource } from './alerts-source.ts';
import { useMarkRead } from './use-mark-read.ts';

/** Title with its description. */
function Title({ alert }: { alert: Alert }) {
  const mark = useMarkRead();
  return (
    <div className="flex min-w-0 flex-col gap-0.5 py-1 whitespace-normal">
      <AlertLink alert={alert} onOpen={mark.one} />
      {alert.description !== '' && (
        <span className="line-clamp-2 text-sm wrap-anywhere text-muted">{alert.description}</span>
      )}
      <span className={`text-xs text-muted ${hiddenFrom.sm}`}>
        <Time value={alert.createdAt} />
      </span>
    </div>
  );
}

/** Columns and filters of the inbox. */
export const alertsView = defineListView(alertsSource, {
  label: 'Alerts',
  nouns: { one: 'alert', many: 'alerts' },
  row: { id: (alert: Alert) => alert._id, name: (alert: Alert) => alert.title },
  columns: [
    { field: 'title', rowHeader: true, cell: (alert) => <Title alert={alert} /> },
    { field: 'severity', width: 112, cell: (alert) => <AlertSeverity severity={alert.severity} /> },
    {
      field: 'kind',
      label: 'Rule',
      from: 'md',
      width: 224,
      narrowWidth: 176,
      cell: (alert) => (
        <span className="flex min-w-0 flex-col">
          <span className="truncate">{alert.rule ?? alertList.fields.kind.labels[alert.kind]}</span>
          {alert.rule !== null && (
            <span className="truncate text-xs text-muted">{alertList.fields.kind.labels[alert.kind]}</span>
          )}
        </span>
      ),
    },
    {
      field: 'createdAt',
      from: 'sm',
      width: 144,
      narrowWidth: 128,
      cell: (alert) => <Time value={alert.createdAt} />,
    },
  ],
  filters: ['kind', 'severity', 'read', 'createdAt'],
  texts: {
    search: 'Search alerts',
    empty: 'No alerts yet.',
    narrowed: 'No alerts found.',
    failure: 'Failed to load alerts.',
  },
});
