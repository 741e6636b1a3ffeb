import { activityNouns, ownerNouns, type ActivityEntry } from '@riskboard/contract';
import { defineListView, type ListViewSpec } from '../../ui/list/define-list-view.ts';
import { Time } from '../../ui/text/time.tsx';
import { activitySource } from './activity-source.ts';
import { Actor } from './person.tsx';
import { actionLabel, nounLabel } from './sentence.ts';
import { What } from './entry-text.tsx';

type Fields = typeof activitySource.fields;
type Spec = ListViewSpec<Fields, ActivityEntry>;

const columns: Spec['columns'] = [
  {
    field: 'at',
    width: 144,
    narrowWidth: 128,
    from: 'md',
    cell: (entry) => (
      <span className="text-muted">
        <Time value={entry.at} />
      </span>
    ),
  },
  {
    field: 'actorId',
    label: 'Who',
    from: 'md',
    alsoShows: ['actor', 'via'],
    width: 208,
    narrowWidth: 176,
    cell: (entry) => <Actor entry={entry} />,
  },
  {
    field: 'action',
    label: 'What',
    rowHeader: 'asDeclared',
    alsoShows: ['noun', 'nounId', 'name', 'detail'],
    cell: (entry) => <What entry={entry} />,
  },
];

const address: Spec['columns'][number] = {
  field: 'address',
  from: 'md',
  cell: (entry) => (
    <span className="font-mono text-xs whitespace-nowrap text-muted">{entry.address || '–'}</span>
  ),
};

const filters = ['actorId', 'noun', 'action', 'at', 'via'] as const;

const vias: Readonly<Record<string, string>> = {
  session: 'Manually',
  token: 'API token',
  system: 'Riskboard',
};

/** Names of identifiers, by field and value. */
export type Names = Readonly<Record<'actorId' | 'nounId', (id: string) => string>>;

const look = (names: Names) => ({
  label: 'Activity',
  nouns: { one: 'entry', many: 'entries' },
  row: { id: ({ _id }: ActivityEntry) => _id, name: ({ name }: ActivityEntry) => name },
  labels: { ...names, via: (value: string) => vias[value], noun: nounLabel, action: actionLabel },
  texts: {
    search: 'Search activity',
    empty: 'No activity found.',
    failure: 'Failed to load activity.',
  },
});

const forOwners: ReadonlySet<string> = new Set(ownerNouns);

/** Other users are not offered owner-only areas as a filter. */
const fieldsForEveryone = {
  ...activitySource.fields,
  noun: { ...activitySource.fields.noun, values: activityNouns.filter((noun) => !forOwners.has(noun)) },
};

/** Columns and filters of the activity log. Only owners see IP addresses. */
export const activityView = {
  owner: (names: Names) =>
    defineListView(activitySource, {
      ...look(names),
      columns: [...columns, address],
      filters: [...filters, 'address'],
    }),
  everyone: (names: Names) => ({
    ...defineListView(activitySource, { ...look(names), columns, filters }),
    fields: fieldsForEveryone,
  }),
} as const;
