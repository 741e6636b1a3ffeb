-- The outcome of the scheduled backups: one row for the whole installation, none before the first one. The role that
-- writes backups keeps it; readiness and metrics show it.
create table backup_status (
  singleton boolean primary key default true check (singleton),
  succeeded_at timestamptz,
  -- Bytes of the newest backup.
  size bigint,
  failed_at timestamptz,
  failure text not null default ''
);
grant select on backup_status to riskboard_app, riskboard_system;
grant select, insert, update on backup_status to riskboard_backup;
