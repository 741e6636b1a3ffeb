import { batches, batchFileList } from '@riskboard/contract';
import { defineListSource, type StateOf } from '../../ui/list/define-list-source.ts';

/** The files of a batch. */
export const batchFilesSource = defineListSource({
  route: '/dashboard/batches/$batchId',
  noun: 'batches',
  list: batchFileList,
  calls: { list: batches.files, facets: batches.filesFacets, export: batches.filesExport },
  rows: (reply) => reply.files,
});
export type BatchFilesSearch = StateOf<typeof batchFilesSource>;
