import type { ActivityEntry } from '@riskboard/contract';
import { listColumns } from '../../ui/list-columns.ts';
import { Time } from '../../ui/time.tsx';
import { Avatar } from './avatar.tsx';
import { Deed } from './deed.tsx';
import { Doer } from './doer.tsx';
import { doerOf } from './person.ts';

const column = listColumns<ActivityEntry>();

/** On a narrow screen the one column tells who and when as well. */
function What({ entry }: { entry: ActivityEntry }) {
  return (
    <div className="flex gap-2 py-1">
      <span className="md:hidden">
        <Avatar entry={entry} />
      </span>
      <div className="min-w-0 flex-1 text-left first-letter:uppercase md:min-w-60">
        <span className="font-medium md:hidden">{doerOf(entry).name} </span>
        <Deed entry={entry} />
        <div className="text-xs text-muted md:hidden">
          <Time value={entry.at} />
          {entry.via === 'token' && ' · API token'}
          {entry.address !== '' && ` · ${entry.address}`}
        </div>
      </div>
    </div>
  );
}

const columns = [
  column.display({
    id: 'at',
    meta: { label: 'When', sortable: true, from: 'md' },
    cell: ({ row: { original: entry } }) => (
      <span className="text-muted">
        <Time value={entry.at} />
      </span>
    ),
  }),
  column.display({
    id: 'who',
    meta: { label: 'Who', from: 'md' },
    cell: ({ row: { original: entry } }) => <Doer entry={entry} />,
  }),
  column.display({
    id: 'what',
    meta: { label: 'What', rowHeader: true },
    cell: ({ row: { original: entry } }) => <What entry={entry} />,
  }),
];

const address = column.display({
  id: 'address',
  meta: { label: 'From where', from: 'lg' },
  cell: ({ row: { original: entry } }) => (
    <span className="font-mono text-xs whitespace-nowrap text-muted">{entry.address || '–'}</span>
  ),
});

/** Columns of the log; from where somebody came is shown to owners alone. */
export const activityColumns = { everyone: columns, owner: [...columns, address] } as const;
