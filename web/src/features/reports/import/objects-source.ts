import { importObjectList, reports } from '@riskboard/contract';
import { defineListSource, type StateOf } from '../../../ui/list/define-list-source.ts';

/** The objects and records of a report that are not in the lists. */
export const objectsSource = defineListSource({
  route: '/dashboard/reports/$fileId',
  noun: 'reports',
  list: importObjectList,
  calls: { list: reports.importObjects, facets: reports.importFacets, export: reports.importExport },
  rows: (reply) => reply.items,
});
export type ObjectsSearch = StateOf<typeof objectsSource>;
