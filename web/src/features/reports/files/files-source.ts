import { reportFileList, reports } from '@riskboard/contract';
import { defineListSource, type StateOf } from '../../../ui/list/define-list-source.ts';

/** The uploaded reports. */
export const filesSource = defineListSource({
  route: '/dashboard/reports',
  noun: 'reports',
  list: reportFileList,
  calls: { list: reports.files, facets: reports.fileFacets, export: reports.fileExport },
  rows: (reply) => reply.files,
});
export type FilesSearch = StateOf<typeof filesSource>;
