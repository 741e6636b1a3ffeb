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
export {
  cancelJobs,
  failWaiting,
  insertJob,
  type JobRow,
  type NewJob,
  presentJob,
  releaseWaiting,
  selectJobs,
} from './jobs.ts';
export { loggableError } from './loggable-error.ts';
export { migrateToLatest } from './migrate.ts';
export { newId } from './new-id.ts';
export type * from './schema.ts';
export { dropStrandedAccounts } from './stranded-accounts.ts';
export {
  type OrganizationTransaction,
  withOrganization,
  withOrganizationConnection,
} from './with-organization.ts';
