-- Background jobs. The row holds the state; a queue message only notifies the workers.
create table job (
  id uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  kind text not null,
  payload jsonb not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
  phase text not null default 'waiting',
  done double precision not null default 0,
  total double precision not null default 0,
  file_id uuid,
  vulnerability_id uuid,
  -- The job that must finish before this one can start; cleared when that job succeeds.
  waits_for uuid,
  result jsonb,
  error_code text,
  error_message text,
  -- Number of starts. Fencing token: only the run with the current number can commit.
  attempt integer not null default 0,
  -- Runs since the last request; at the limit of the kind the job fails.
  tries integer not null default 0,
  -- Increases with every change; clients ignore events that are not newer.
  version integer not null default 1,
  created_at timestamptz not null default now(),
  created_by uuid,
  -- Earliest start (retry backoff), by the database's clock.
  run_at timestamptz not null default now(),
  -- Time of the last queue message; the sweeper enqueues the job again.
  rung_at timestamptz not null default now(),
  -- Last heartbeat of the run.
  heartbeat_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  unique (organization_id, id)
);
create index job_newest on job (organization_id, created_at desc, id desc);
create index job_file on job (organization_id, file_id) where file_id is not null;
create index job_unfinished on job (rung_at) where state in ('queued', 'running');
create index job_waiting on job (organization_id, waits_for) where waits_for is not null;
create index job_unfinished_of_organization on job (organization_id) where state in ('queued', 'running');
call protect_organization_table('job');
create policy system on job to riskboard_system using (true) with check (true);
grant select, insert, update, delete on job to riskboard_app;
grant select, update on job to riskboard_system;
