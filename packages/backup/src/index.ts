export { BackupError } from './backup-error.ts';
export {
  type BackupSource,
  type BackupSummary,
  type BackupWatch,
  createBackup,
  type Progress,
} from './create/create-backup.ts';
export { fingerprint } from './fingerprint.ts';
export { checkBackup, restoreBackup, type RestoreSummary } from './restore/restore-backup.ts';
export { readDailyTime } from './schedule/plan.ts';
export { keepBackups, type ScheduledBackups } from './schedule/scheduled-backups.ts';
