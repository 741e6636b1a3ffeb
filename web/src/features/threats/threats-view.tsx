import { fiveLevels, threatTypes, threeLevels } from '@riskboard/domain';
import { RiskBadge } from '../../ui/badge/badge.tsx';
import { Short, SourceFileCell } from '../../ui/record/cells.tsx';
import { defineListView } from '../../ui/list/define-list-view.ts';
import { Time } from '../../ui/text/time.tsx';
import { ActiveBadge } from './active-badge.tsx';
import { Level, NameCell } from './threat-cells.tsx';
import { threatWords } from './threat-words.ts';
import { threatsSource } from './threats-source.ts';

/** Spec 2, Threats list. */
export const threatsView = defineListView(threatsSource, {
  label: 'Threats',
  nouns: { one: 'threat', many: 'threats' },
  row: { id: (row) => row._id, name: (row) => row.name },
  columns: [
    { field: 'name', rowHeader: true, cell: (row) => <NameCell row={row} /> },
    {
      field: 'threatTypeId',
      from: 'sm',
      cell: (row) => <Level scale={threatTypes} level={row.threatTypeId} />,
    },
    { field: 'motivation', from: 'lg', cell: (row) => <Level scale={threeLevels} level={row.motivation} /> },
    { field: 'capability', from: 'lg', cell: (row) => <Level scale={threeLevels} level={row.capability} /> },
    { field: 'impact', from: 'md', cell: (row) => <Level scale={fiveLevels} level={row.impact} /> },
    { field: 'riskLevel', align: 'left', cell: (row) => <RiskBadge level={row.riskLevel} /> },
    {
      field: 'createdAt',
      label: 'Created',
      from: 'lg',
      cell: (row) => <Time value={row.createdAt} form="day" />,
    },
    { field: 'threatID', hidden: true, cell: (row) => <Short text={row.threatID} /> },
    { field: 'kind', hidden: true, cell: (row) => <Short text={row.kind} /> },
    { field: 'threatCategory', hidden: true, cell: (row) => <Short text={row.threatCategory} /> },
    { field: 'likelihood', hidden: true, cell: (row) => <Level scale={fiveLevels} level={row.likelihood} /> },
    { field: 'isActive', hidden: true, cell: (row) => <ActiveBadge active={row.isActive} /> },
    { field: 'sourceFile', hidden: true, cell: (row) => <SourceFileCell file={row.sourceFile} /> },
    { field: 'updatedAt', hidden: true, cell: (row) => <Time value={row.updatedAt} /> },
  ],
  filters: [
    'risk',
    'threatTypeId',
    'isActive',
    'riskLevel',
    'motivation',
    'capability',
    'likelihood',
    'impact',
    'threatCategory',
    'kind',
    'threatID',
    'sourceFile',
    'withdrawn',
    'createdAt',
    'updatedAt',
  ],
  words: threatWords,
  texts: { search: 'Search threats', empty: 'No threats found.', failure: 'Failed to load threats.' },
});
