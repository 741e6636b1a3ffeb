import { Short, SourceFileCell } from '../../ui/record/cells.tsx';
import { defineListView } from '../../ui/list/define-list-view.ts';
import { Time } from '../../ui/text/time.tsx';
import { NameCell } from './threat-cells.tsx';
import { ThreatMenu } from './threat-menu.tsx';
import { threatWords } from './threat-words.ts';
import { threatDataSource } from './threats-source.ts';

/** Spec 2, Threat data list. */
export const threatDataView = defineListView(threatDataSource, {
  label: 'Threat data',
  nouns: { one: 'threat', many: 'threats' },
  row: { id: (row) => row._id, name: (row) => row.name },
  columns: [
    { field: 'sourceFile', from: 'md', cell: (row) => <SourceFileCell file={row.sourceFile} wide /> },
    { field: 'name', rowHeader: 'inPlace', cell: (row) => <NameCell row={row} /> },
    { field: 'threatID', cell: (row) => <Short text={row.threatID} /> },
    { field: 'createdAt', from: 'sm', cell: (row) => <Time value={row.createdAt} form="absolute" /> },
    { field: 'kind', hidden: true, cell: (row) => <Short text={row.kind} /> },
    { field: 'updatedAt', hidden: true, cell: (row) => <Time value={row.updatedAt} /> },
    { id: 'actions', label: 'Actions', hideLabel: true, last: true, cell: (row) => <ThreatMenu row={row} /> },
  ],
  filters: ['sourceFile', 'threatID', 'kind', 'threatTypeId', 'createdAt', 'withdrawn'],
  words: threatWords,
  texts: {
    search: 'Search threats',
    empty: 'No threat data found.',
    failure: 'Failed to load threat data.',
  },
});
