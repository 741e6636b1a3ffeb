import { vulnerabilityCategories } from '@riskboard/domain';
import { levelWord } from '../../lib/record-words.ts';
import { Score, Short, SourceFileCell } from '../../ui/record/cells.tsx';
import { SeverityBadge } from '../../ui/badge/badge.tsx';
import { defineListView } from '../../ui/list/define-list-view.ts';
import { Time } from '../../ui/text/time.tsx';
import { StatusBadge } from './status-badge.tsx';
import { vulnerabilitiesSource } from './vulnerabilities-source.ts';
import { NameCell } from './vulnerability-cells.tsx';
import { vulnerabilityWords } from './vulnerability-words.ts';

/** Spec 2, Vulnerabilities table. */
export const vulnerabilitiesView = defineListView(vulnerabilitiesSource, {
  label: 'Vulnerabilities',
  nouns: { one: 'vulnerability', many: 'vulnerabilities' },
  row: { id: (row) => row._id, name: (row) => row.name },
  columns: [
    { field: 'name', rowHeader: true, cell: (row) => <NameCell row={row} /> },
    {
      field: 'categoryId',
      from: 'md',
      cell: (row) => <Short text={levelWord(vulnerabilityCategories, row.categoryId) ?? ''} />,
    },
    { field: 'severity', align: 'left', cell: (row) => <SeverityBadge score={row.severity} /> },
    { field: 'status', from: 'sm', cell: (row) => <StatusBadge status={row.status} /> },
    { field: 'cvssScore', from: 'sm', cell: (row) => <Score value={row.cvssScore} /> },
    {
      field: 'discoveryDate',
      from: 'lg',
      cell: (row) => <Time value={row.discoveryDate} form="day" />,
    },
    { field: 'cveId', hidden: true, cell: (row) => <Short text={row.cveId} /> },
    { field: 'cwe', hidden: true, cell: (row) => <Short text={row.cwe.join(', ')} /> },
    { field: 'cvssVersion', hidden: true, cell: (row) => <Short text={row.cvssVersion} /> },
    { field: 'cwssScore', hidden: true, cell: (row) => <Score value={row.cwssScore} /> },
    { field: 'exploitability', hidden: true, cell: (row) => <Score value={row.exploitability} /> },
    { field: 'impact', hidden: true, cell: (row) => <Score value={row.impact} /> },
    { field: 'sourceFile', hidden: true, cell: (row) => <SourceFileCell file={row.sourceFile} /> },
    { field: 'fixDate', hidden: true, cell: (row) => <Time value={row.fixDate} form="day" /> },
    { field: 'createdAt', hidden: true, cell: (row) => <Time value={row.createdAt} form="day" /> },
    { field: 'updatedAt', hidden: true, cell: (row) => <Time value={row.updatedAt} /> },
  ],
  filters: [
    'severity',
    'status',
    'categoryId',
    'cvssScore',
    'discoveryDate',
    'cveId',
    'cwe',
    'cvssVersion',
    'exploitability',
    'impact',
    'sourceFile',
    'withdrawn',
    'fixDate',
    'createdAt',
    'updatedAt',
  ],
  words: vulnerabilityWords,
  texts: {
    search: 'Search vulnerabilities',
    empty: 'No vulnerabilities found.',
    failure: 'Failed to load vulnerabilities.',
  },
});
