import type { Outcome } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { Badge } from '../../../ui/badge/badge.tsx';
import { defineListView } from '../../../ui/list/define-list-view.ts';
import type { HowChanged } from '../../../ui/list/list-control.ts';
import { ListPage } from '../../../ui/list/list-page.tsx';
import { objectsSource, type ObjectsSearch } from './objects-source.ts';

interface ObjectsListProps {
  fileId: string;
  search: ObjectsSearch;
  onSearch: (search: ObjectsSearch, how?: HowChanged) => void;
}

/** The objects and records that are not in the lists, each with its location and reason. */
export function ObjectsList({ fileId, search, onSearch }: ObjectsListProps) {
  const params = { id: fileId };
  const query = useQuery(objectsSource.query(search, params));
  return (
    <ListPage
      view={objectsView}
      query={query}
      params={params}
      search={search}
      onSearch={onSearch}
      empty={{
        icon: <CircleCheck aria-hidden size={20} />,
        description: 'No object of this file was left out.',
      }}
    />
  );
}

const isOutcome = (value: string): value is Outcome => Object.hasOwn(outcomeLabels, value);

/** Columns of the objects and records that are not in the lists. */
const objectsView = defineListView(objectsSource, {
  label: 'Objects not in the lists',
  nouns: { one: 'object', many: 'objects' },
  row: {
    id: ({ ordinal, outcome, stixId, location }) => `${ordinal} ${outcome} ${stixId ?? ''} ${location}`,
    name: ({ location }) => location,
  },
  columns: [
    {
      field: 'location',
      cell: ({ location }) => (
        <code className="block font-mono text-xs break-all whitespace-normal">{location}</code>
      ),
    },
    {
      field: 'type',
      cell: ({ type }) => <code className="font-mono text-sm whitespace-nowrap">{type}</code>,
    },
    {
      field: 'outcome',
      cell: ({ outcome }) => <Badge tone={outcomeLabels[outcome].tone}>{outcomeLabels[outcome].label}</Badge>,
    },
    {
      field: 'reason',
      grow: true,
      cell: ({ reason }) => <span className="block text-sm whitespace-normal">{reason}</span>,
    },
    {
      field: 'stixId',
      from: 'md',
      width: 280,
      cell: ({ stixId }) =>
        stixId === null ? (
          <span className="text-muted">N/A</span>
        ) : (
          <code className="block font-mono text-xs break-all whitespace-normal select-all">{stixId}</code>
        ),
    },
    {
      field: 'ordinal',
      hidden: true,
      cell: ({ ordinal }) => <span className="tabular-nums">{formatCount(ordinal)}</span>,
    },
  ],
  labels: { outcome: (value) => (isOutcome(value) ? outcomeLabels[value].label : undefined) },
  saved: false,
  texts: { search: 'Search objects', empty: 'No objects found.', failure: 'Failed to load objects.' },
});

/** Labels of the outcomes of objects and records that are not in the lists. */
const outcomeLabels = {
  unmapped: { label: 'Not extracted', tone: 'neutral' },
  failed: { label: 'Failed', tone: 'danger' },
  revoked: { label: 'Revoked', tone: 'warning' },
  deprecated: { label: 'Deprecated', tone: 'warning' },
  superseded: { label: 'Superseded', tone: 'info' },
} as const satisfies Record<Outcome, { label: string; tone: string }>;
