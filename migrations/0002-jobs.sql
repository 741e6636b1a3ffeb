-- Background work. The row carries the state, the queue only rings the bell.
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
  -- The job that must end before this one may start; cleared when it succeeds.
  waits_for uuid,
  result jsonb,
  error_code text,
  error_message text,
  -- How often it has been started; the fence that lets one run alone commit.
  attempt integer not null default 0,
  -- Runs since it was last asked for; at the kind's limit it is given up.
  tries integer not null default 0,
  -- Grows with every change; a client drops what is not newer.
  version integer not null default 1,
  created_at timestamptz not null default now(),
  created_by uuid,
  -- Not before this time (retry backoff), by the database's clock.
  run_at timestamptz not null default now(),
  -- When the queue was last told; the sweeper tells it again.
  rung_at timestamptz not null default now(),
  -- Last sign of life of the run.
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
