export {
  type DroppedRecords,
  dropAssertions,
  dropOrphans,
  lockAssertions,
  type RecordTableName,
  renameSource,
} from './assertions.ts';
export { type Database, type DatabaseOptions, databaseRoles, openDatabase } from './client.ts';
export {
  beginContent,
  chunkBytes,
  type ContentRef,
  dropContent,
  readContent,
  storeChunk,
} from './content.ts';
export { findCwe, keepCwe } from './cwe/find.ts';
export type { CweData, CweEntry } from './cwe/record.ts';
export {
  cancelJobs,
  failWaiting,
  insertJob,
  type JobRow,
  type NewJob,
  presentJob,
  releaseWaiting,
  reviveWaiting,
  selectJobs,
} from './jobs.ts';
export { activitySource } from './lists/activity.ts';
export { assetSource } from './lists/assets.ts';
export { facetsOf } from './lists/facets.ts';
export { selected, whereOf } from './lists/filter.ts';
export { importObjectSource } from './lists/import-objects.ts';
export { jobSource } from './lists/jobs.ts';
export { BadCursor, count, idsOfAll, listPage, type Page, type PageInput, walkFrom } from './lists/page.ts';
export { projectSource } from './lists/projects.ts';
export { reportFileSource } from './lists/report-files.ts';
export type { FilterInput, ListSource } from './lists/source.ts';
export { threatSource } from './lists/threats.ts';
export { vulnerabilitySource } from './lists/vulnerabilities.ts';
export { relationsBelow, setRelated } from './records/asset-relations.ts';
export { deleteInTurns, deleteRecords, type NamedRecord } from './records/delete.ts';
export {
  deleteAssets,
  deleteAssetsInTurns,
  deleteProjects,
  deleteProjectsInTurns,
  type Gone,
} from './records/delete-assets.ts';
export { type DeletedFile, type DeletedFiles, deleteFiles } from './records/delete-files.ts';
export { holdAssets, lockAssets } from './records/lock-assets.ts';
export { addAssets, missingAssets, removeAssets, setAssets } from './records/related-assets.ts';
export { reportColumns } from './records/report-columns.ts';
export { restoreRecords } from './records/restore.ts';
export { restoreAssets, restoreProjects } from './records/restore-assets.ts';
export { recordSources, revertToReports, type SourceRow } from './records/sources.ts';
export { type BulkChange, relatedAssetsField, updateRecords } from './records/update-many.ts';
export { loggableError } from './loggable-error.ts';
export { migrateToLatest } from './migrate.ts';
export { newId } from './new-id.ts';
export { type FoundRecords, searchRecords } from './search.ts';
export type * from './schema.ts';
export { dropStrandedAccounts } from './stranded-accounts.ts';
export {
  type OrganizationTransaction,
  withOrganization,
  withOrganizationConnection,
} from './with-organization.ts';
