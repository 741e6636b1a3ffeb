import { Outcome, outcomes, type ImportObject } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { queryOf } from '../../lib/list-search.ts';
import { Badge } from '../../ui/badge.tsx';
import { listColumns } from '../../ui/list-columns.ts';
import { ListView } from '../../ui/list-view.tsx';
import { Select } from '../../ui/select.tsx';
import type { ObjectsSearch } from './objects-search.ts';
import { outcomeWords } from './outcome-words.ts';
import { importObjectsQuery } from './queries.ts';

interface ObjectsListProps {
  fileId: string;
  search: ObjectsSearch;
  onSearch: (search: ObjectsSearch) => void;
}

const column = listColumns<ImportObject>();

const columns = [
  column.display({
    id: 'ordinal',
    meta: { label: 'Place', sortable: true },
    cell: ({ row: { original } }) => (
      <code className="block min-w-32 font-mono text-xs break-all">{original.place}</code>
    ),
  }),
  column.display({
    id: 'type',
    meta: { label: 'Type', sortable: true },
    cell: ({ row: { original } }) => (
      <code className="font-mono text-sm whitespace-nowrap">{original.type}</code>
    ),
  }),
  column.display({
    id: 'outcome',
    meta: { label: 'Outcome', sortable: true },
    cell: ({ row: { original } }) => {
      const { word, tone } = outcomeWords[original.outcome];
      return <Badge tone={tone}>{word}</Badge>;
    },
  }),
  column.display({
    id: 'reason',
    meta: { label: 'Reason', rowHeader: true },
    cell: ({ row: { original } }) => <span className="block min-w-40 text-sm">{original.reason}</span>,
  }),
  column.display({
    id: 'stixId',
    meta: { label: 'ID', from: 'lg' },
    cell: ({ row: { original } }) =>
      original.stixId === null ? (
        <span className="text-muted">N/A</span>
      ) : (
        <code className="block min-w-100 font-mono text-xs break-all select-all">{original.stixId}</code>
      ),
  }),
];

const any = 'any';
const outcomeItems = [
  { value: any, label: 'Any outcome' },
  ...outcomes.map((outcome) => ({ value: outcome, label: outcomeWords[outcome].word })),
];

/** The objects and records that are not in the lists, one by one, each with its place and reason. */
export function ObjectsList({ fileId, search, onSearch }: ObjectsListProps) {
  const { outcome, ...list } = queryOf(search);
  const query = useQuery({
    ...importObjectsQuery(fileId, { ...list, ...(outcome !== undefined && { outcome: [outcome] }) }),
    select: ({ items, total }) => ({ rows: items, total }),
  });
  const filter = (change: Partial<ObjectsSearch>) => onSearch({ ...search, page: 1, ...change });
  return (
    <ListView
      label="Objects that are no record"
      columns={columns}
      rowId={(object) => `${object.ordinal} ${object.outcome} ${object.stixId ?? ''} ${object.place}`}
      query={query}
      search={search}
      onSearch={onSearch}
      searchLabel="Search objects"
      texts={{ empty: 'No objects found.', failure: 'Failed to load objects.' }}
      emptyHint={{
        icon: <CircleCheck aria-hidden size={20} />,
        description: 'Every object of this file became a record.',
      }}
      filters={
        <Select
          label="Outcome"
          hideLabel
          items={outcomeItems}
          value={search.outcome ?? any}
          onChange={(value) => filter({ outcome: Outcome.safeParse(value).data })}
        />
      }
      onReset={search.outcome === undefined ? undefined : () => filter({ outcome: undefined, search: '' })}
    />
  );
}
