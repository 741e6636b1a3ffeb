export { lockAlerts } from './locks/alert-locks.ts';
export { deleteAccountsWithoutMembership } from './accounts/delete-without-membership.ts';
export { ChangeCount, type ChangedRows } from './changes.ts';
export {
  addBatchFile,
  addRefusedFile,
  batchFileId,
  type BatchFileRow,
  presentBatchFile,
  runsOfFiles,
} from './report-batches/batch-files.ts';
export { deleteBatch, isOldBatch } from './report-batches/delete-batch.ts';
export { noteReceiving } from './report-batches/note-receiving.ts';
export {
  holdBatchJobs,
  holdInPausedBatch,
  releaseBatchJobs,
  retryFailedFiles,
} from './report-batches/batch-jobs.ts';
export { processingSeconds, readProcessingRate } from './report-batches/processing-rate.ts';
export {
  type BatchRow,
  findBatch,
  moveBatchChanges,
  isReceiving,
  presentBatch,
  selectBatches,
} from './report-batches/select-batches.ts';
export { databaseRoles } from './connection/roles.ts';
export { sessionLimits, waitForRuns } from './connection/session-limits.ts';
export {
  answersLogin,
  canBecomeSystem,
  type Database,
  type DatabaseOptions,
  openDatabase,
} from './connection/client.ts';
export { backupProblem, type BackupStatus, pastTime, readBackupStatus } from './backup-status.ts';
export { checkServing } from './connection/check-serving.ts';
export { createFairSlots, type FairSlots, SlotsFull } from './connection/fair-slots.ts';
export {
  ContentDeleted,
  chunkBytes,
  type ContentRef,
  dropContent,
  readContent,
  storeChunk,
} from './reports/content.ts';
export { releaseMemory } from './reports/release-memory.ts';
export {
  catalogues,
  deleteOldUploads,
  setCatalogue,
  type StoredCatalogue,
  storeShared,
  storeUploaded,
} from './cwe/catalogues.ts';
export { findCwe, keepCwe } from './cwe/find.ts';
export { type OrganizationFacts, weaknessFacts } from './cwe/weakness-facts.ts';
export { type CalculatedOne, calculateOne } from './cwss/calculate-one.ts';
export { calculatedScore, type CalculatedScore } from './cwss/calculated-score.ts';
export { deleteFormerScores } from './cwss/former-scores.ts';
export { type LoadedFacts, loadFacts } from './cwss/load-facts.ts';
export { lockScoresOfAssets } from './cwss/related-scores.ts';
export { markStale } from './cwss/mark-stale.ts';
export { lockScored, type SavedScores, saveScores, type ScoreOrigin, scoreRows } from './cwss/save-scores.ts';
export { type KnownWeaknesses, loadWeaknesses } from './cwss/weaknesses.ts';
export { loadScoringVignettes, type ScoringVignette } from './cwss/scoring-vignette.ts';
export {
  type CsvImportRow,
  deleteImport,
  lockImport,
  presentImport,
  selectImports,
} from './imports/imports.ts';
export { type PlannedRow, plannedRows, planRows } from './imports/compare.ts';
export { closeStaging, type ImportedRow, openStaging, stageRows } from './imports/staging.ts';
export { lockMatched } from './imports/lock-matched.ts';
export { countPlanned, saveRows } from './imports/save.ts';
export { undoImport } from './imports/undo.ts';
export type { ImportRun } from './imports/write-columns.ts';
export { countWarnings } from './imports/warnings.ts';
export {
  cancelJobs,
  insertJob,
  isShownJob,
  isUnattended,
  jobFileName,
  type JobRow,
  messageOf,
  type NewJob,
  presentJob,
  presentJobDetail,
  selectJobs,
  selectShownJobs,
  type ShownJobRow,
} from './jobs/jobs.ts';
export {
  cancelWithWaiting,
  failWaiting,
  lockWithWaiting,
  releaseWaiting,
  reviveWaiting,
} from './jobs/waiting-jobs.ts';
export { startJob } from './jobs/start-job.ts';
export { runInRequest } from './jobs/request-scope.ts';
export { endEarlierRuns, endRun, inRunSessions } from './jobs/run-sessions.ts';
export { interruptRuns } from './jobs/interrupt-runs.ts';
export { lockParse } from './jobs/lock-parse.ts';
export { activitySource } from './lists/activity.ts';
export { type AlertReader, alertSource } from './lists/alerts.ts';
export { assetSource } from './lists/assets.ts';
export { batchFileSource } from './lists/batch-files.ts';
export { facetsOf } from './lists/facets/facets.ts';
export { selected, UnlimitedFilter, whereOf } from './lists/conditions.ts';
export { existedAt, runningTransactions } from './lists/existing-rows.ts';
export { importObjectSource } from './lists/import-objects.ts';
export { importRowSource } from './lists/import-rows.ts';
export { longTexts, relatedNamesBytes, shortenedText } from './lists/long-texts.ts';
export { jobSource } from './lists/jobs.ts';
export { joiningByHash, joiningRows } from './query-plans.ts';
export { type CsvRecords, csvLinesFrom } from './lists/csv-lines.ts';
export { BadCursor } from './lists/cursor.ts';
export { idsOfAll, walkFrom } from './lists/walk.ts';
export { listPage, type Page, type PageInput } from './lists/page.ts';
export { count, type Total } from './lists/total.ts';
export { projectNames, projectSource } from './lists/projects.ts';
export {
  issuesOfReportFile,
  parseStateOfReportFile,
  type ReportFileRow,
  reportFileSource,
} from './lists/report-files.ts';
export type { FilterInput, ListSource } from './lists/source.ts';
export { threatSource } from './lists/threats.ts';
export { vignetteSource } from './lists/vignettes.ts';
export { weaknessSource } from './lists/weaknesses.ts';
export { isNewVulnerability, vulnerabilitySource } from './lists/vulnerabilities.ts';
export { moveEntries } from './overview/entries.ts';
export { readFlows, readRecordedSince, readWeeks, type RecordedWeek } from './overview/flows.ts';
export { type Recomputation, recomputeOverview } from './overview/recompute.ts';
export { otherRecomputationRuns, requestRecompute } from './overview/request-recompute.ts';
export { type OverviewState, readOverallScore, readOverviewState } from './overview/state.ts';
export {
  type OverviewSnapshot,
  readRecomputedAt,
  readSnapshotBefore,
  readSnapshots,
} from './overview/snapshots.ts';
export {
  countOf,
  type OverviewEntry,
  type OverviewMeasure,
  ledgerOf,
  overviewMeasures,
  type OverviewTotal,
  type OverviewTotals,
  readEntries,
  readTotals,
  readTotalsOf,
} from './overview/totals.ts';
export { setRelated } from './records/asset-relations.ts';
export { findCycle } from './records/asset-cycle.ts';
export { deleteRecordsInBatches, type DeletedRow } from './trash/delete-records.ts';
export {
  deleteAssets,
  deleteAssetsInBatches,
  deleteProjects,
  deleteProjectsInBatches,
} from './trash/delete-assets.ts';
export {
  dropOrphans,
  dropUnextracted,
  nameUploaded,
  noRecordChanges,
  type RecordChanges,
  recordEvents,
  type RecordTableName,
  recordTables,
} from './reports/assertions.ts';
export { markWithdrawn } from './reports/remaining-reports.ts';
export { mergedData, mergedName } from './reports/precedence.ts';
export { objectsOfRows, recordsSharingObjects } from './reports/object-versions.ts';
export { refreshRecords } from './reports/reported-values.ts';
export { type DeletedFile, type DeletedFiles, deleteFiles } from './reports/delete-files.ts';
export {
  deletedProjectsLock,
  expectRowLock,
  foreignKeyLock,
  manyRecordsLock,
  rowLock,
  skipLocked,
} from './locks/row-lock.ts';
export {
  lockAccount,
  lockAccounts,
  lockEmailSubject,
  lockFirstAccount,
  lockLoginAddress,
  lockMembership,
  lockMemberships,
} from './locks/account-locks.ts';
export { lockAssertions, lockFileName, lockFileOfName } from './locks/file-locks.ts';
export { lockAssets } from './locks/asset-locks.ts';
export { lockVignettes } from './locks/vignette-locks.ts';
export { lockStructure, tryBackupLock, tryReadingLock } from './locks/maintenance-locks.ts';
export { lockCalculationRequest, tryHousekeepingLock } from './locks/job-locks.ts';
export { wasAssetAtRisk, wouldAssetBeAtRisk } from './records/asset-risk.ts';
export { type Walk, walkAssets, type WalkedAsset } from './records/asset-walk.ts';
export { addAssets, assetsOf, missingAssets, removeAssets, setAssets } from './records/related-assets.ts';
export { nextReportAt } from './report-schedule.ts';
export { reportColumns } from './reports/report-columns.ts';
export { valuesTaken } from './reports/values-taken.ts';
export { versionInTrash } from './trash/trash-row.ts';
export {
  countDeletedByJob,
  deletionTime,
  idsDeletedByJob,
  lockDeletedByJob,
  noteRestoration,
} from './trash/deleted-by-job.ts';
export { restoreRecords } from './trash/restore-records.ts';
export { restoreAssets, restoreProjects } from './trash/restore-assets.ts';
export { setScoreContext } from './records/score-context.ts';
export { lengthOf } from './lists/length.ts';
export { objectsWithoutRecord } from './reports/objects-without-record.ts';
export { withdrawnObjects } from './reports/withdrawn-objects.ts';
export { recordSources, reportedRow, revertToReports, type SourceRow } from './reports/record-sources.ts';
export { type RelatedRecord, relatedRecords } from './reports/related-records.ts';
export { updateAssets } from './records/update-assets.ts';
export {
  lockRelated,
  type RecordIds,
  type RelatedRecords,
  relatedNouns,
  relateRecords,
  type RelationChange,
} from './records/relate-records.ts';
export {
  type BulkChange,
  type BulkUpdate,
  type OnBatch,
  relatedAssetsField,
  type UpdatedMany,
  updateRecords,
} from './records/update-many.ts';
export { loggableError } from './connection/loggable-error.ts';
export { requireSameDatabase } from './connection/same-database.ts';
export { ensureBackupAccess } from './migrate/repair-access.ts';
export { pendingMigrations } from './migrate/pending-migrations.ts';
export { migrateToLatest } from './migrate/migrate.ts';
export { readAccess } from './migrate/read-access.ts';
export { readSchemaState, schemaWarning } from './migrate/schema-state.ts';
export { UnsuitableDatabase } from './migrate/unsuitable-database.ts';
export { waitForSchema } from './migrate/wait-for-schema.ts';
export { ensureLogin, ensureRoles, otherDatabaseOf } from './migrate/roles.ts';
export { idOfKey, idsAfter, newId } from './new-id.ts';
export { type FoundRecords, searchRecords } from './search.ts';
export { type AssetCandidate, assetsForRecord } from './suggestions/assets-for-record.ts';
export { type RecordCandidate, recordsForAsset } from './suggestions/records-for-asset.ts';
export type * from './tables.ts';
export {
  addVignetteVersion,
  deleteVignette,
  insertVignettes,
  type NewVignette,
  selectVignettes,
  selectVignetteVersions,
} from './vignettes/vignettes.ts';
export {
  type OrganizationTransaction,
  withOrganization,
  withOrganizationConnection,
  withOrganizationSnapshot,
} from './with-organization.ts';
