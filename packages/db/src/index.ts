export { type Database, type DatabaseOptions, databaseRoles, openDatabase } from './client.ts';
export { insertJob, type JobRow, type NewJob, presentJob, selectJobs } from './jobs.ts';
export { migrateToLatest } from './migrate.ts';
export { newId } from './new-id.ts';
export type * from './schema.ts';
export { enterOrganization, type OrganizationTransaction, withOrganization } from './with-organization.ts';
