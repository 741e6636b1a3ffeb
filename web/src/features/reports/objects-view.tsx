import type { Outcome } from '@riskboard/contract';
import { formatCount } from '../../lib/format/format.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { defineListView } from '../../ui/list/define-list-view.ts';
import { objectsSource } from './objects-source.ts';
import { outcomeWords } from './outcome-words.ts';

const isOutcome = (value: string): value is Outcome => Object.hasOwn(outcomeWords, value);

/** The objects and records of a report that are not in the lists, each with its place and reason. */
export const objectsView = defineListView(objectsSource, {
  label: 'Objects that are no record',
  nouns: { one: 'object', many: 'objects' },
  row: {
    id: ({ ordinal, outcome, stixId, place }) => `${ordinal} ${outcome} ${stixId ?? ''} ${place}`,
    name: ({ place }) => place,
  },
  columns: [
    {
      field: 'place',
      cell: ({ place }) => <code className="block min-w-32 font-mono text-xs break-all">{place}</code>,
    },
    {
      field: 'type',
      cell: ({ type }) => <code className="font-mono text-sm whitespace-nowrap">{type}</code>,
    },
    {
      field: 'outcome',
      cell: ({ outcome }) => <Badge tone={outcomeWords[outcome].tone}>{outcomeWords[outcome].word}</Badge>,
    },
    {
      field: 'reason',
      cell: ({ reason }) => <span className="block min-w-40 text-sm lg:min-w-60">{reason}</span>,
    },
    {
      field: 'stixId',
      from: 'lg',
      cell: ({ stixId }) =>
        stixId === null ? (
          <span className="text-muted">N/A</span>
        ) : (
          <code className="block min-w-100 font-mono text-xs break-all select-all">{stixId}</code>
        ),
    },
    {
      field: 'ordinal',
      hidden: true,
      cell: ({ ordinal }) => <span className="tabular-nums">{formatCount(ordinal)}</span>,
    },
  ],
  words: { outcome: (value) => (isOutcome(value) ? outcomeWords[value].word : undefined) },
  saved: false,
  texts: { search: 'Search objects', empty: 'No objects found.', failure: 'Failed to load objects.' },
});
