import { outcomes, reports } from '@riskboard/contract';
import { defineListSource, type StateOf } from '../../ui/table/define-list-source.ts';

/** The objects and records of a report that are not in the lists, one by one. */
export const objectsSource = defineListSource({
  route: '/dashboard/reports/$fileId',
  noun: 'reports',
  list: {
    fields: {
      ordinal: { label: 'Place', kind: 'text' },
      type: { label: 'Type', kind: 'text' },
      outcome: { label: 'Outcome', kind: 'choice', values: outcomes },
    },
    standard: 'ordinal',
  },
  calls: { list: reports.importObjects },
  rows: (reply) => reply.items,
});
export type ObjectsSearch = StateOf<typeof objectsSource>;
