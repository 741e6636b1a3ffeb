-- Batches: many uploaded files as one object. A row of batch_file is one file name of a batch with its outcome, which
-- outlives the jobs and the report. Triggers keep it and the totals, so that no reader counts files.
create table batch (
  organization_id uuid not null references organization on delete cascade,
  id uuid not null,
  name text not null,
  -- What the client announced; null when it did not. Until that many files are received, or the batch is closed, more
  -- files are expected.
  planned_files integer,
  planned_bytes bigint,
  closed_at timestamptz,
  -- No queued job of the batch starts while it is set.
  paused_at timestamptz,
  cancelled_at timestamptz,
  created_at timestamptz not null default now(),
  created_by uuid,
  -- Totals of all files, without the rows of batch_change.
  files integer not null default 0,
  bytes bigint not null default 0,
  queued integer not null default 0,
  running integer not null default 0,
  succeeded integer not null default 0,
  with_issues integer not null default 0,
  failed integer not null default 0,
  cancelled integer not null default 0,
  issues bigint not null default 0,
  created bigint not null default 0,
  updated bigint not null default 0,
  unchanged bigint not null default 0,
  skipped bigint not null default 0,
  started_at timestamptz,
  ended_at timestamptz,
  primary key (organization_id, id)
);
create index batch_newest on batch (organization_id, created_at desc, id desc);
call protect_organization_table('batch');
grant select, insert, update, delete on batch to riskboard_app;

create table batch_file (
  organization_id uuid not null,
  id uuid not null,
  batch_id uuid not null,
  name text not null check (name <> ''),
  name_key text not null generated always as (lower(name)) stored,
  size bigint not null,
  -- The report; null for a file that was refused. No foreign key: the outcome outlives the report and its jobs.
  file_id uuid,
  parse_job_id uuid,
  extract_job_id uuid,
  state text collate "C" not null
    check (state in ('queued', 'running', 'succeeded', 'withIssues', 'failed', 'cancelled')),
  -- Objects that could not be read, warnings, and records that the extraction skipped.
  issues integer not null default 0,
  objects integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  skipped integer not null default 0,
  -- Why it failed.
  message text,
  received_at timestamptz not null default now(),
  started_at timestamptz,
  read_at timestamptz,
  extract_started_at timestamptz,
  ended_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, batch_id, name_key),
  foreign key (organization_id, batch_id) references batch on delete cascade
);
create index batch_file_state on batch_file (organization_id, batch_id, state);
call protect_organization_table('batch_file');
grant select, insert, update, delete on batch_file to riskboard_app;

-- Every run of the jobs of a batch. `outcome` is null while it runs; 'lost': its worker stopped.
create table batch_attempt (
  organization_id uuid not null,
  job_id uuid not null,
  attempt integer not null,
  batch_file_id uuid not null,
  step text not null check (step in ('read', 'extract')),
  started_at timestamptz not null,
  ended_at timestamptz,
  outcome text check (outcome in ('succeeded', 'failed', 'cancelled', 'retried', 'lost')),
  message text,
  primary key (organization_id, job_id, attempt),
  foreign key (organization_id, batch_file_id) references batch_file on delete cascade
);
create index batch_attempt_file on batch_attempt (organization_id, batch_file_id);
call protect_organization_table('batch_attempt');
grant select, insert, update, delete on batch_attempt to riskboard_app;

-- Changes of totals that are not yet moved into the batch. Appended, because jobs that end at the same time would wait
-- for each other at the row of the batch. No foreign key for the same reason.
create table batch_change (
  organization_id uuid not null,
  id uuid not null default gen_random_uuid(),
  batch_id uuid not null,
  files integer not null,
  bytes bigint not null,
  queued integer not null,
  running integer not null,
  succeeded integer not null,
  with_issues integer not null,
  failed integer not null,
  cancelled integer not null,
  issues bigint not null,
  created bigint not null,
  updated bigint not null,
  unchanged bigint not null,
  skipped bigint not null,
  started_at timestamptz,
  ended_at timestamptz,
  primary key (organization_id, id)
);
create index batch_change_batch on batch_change (organization_id, batch_id);
call protect_organization_table('batch_change');
create policy system on batch_change to riskboard_system using (true);
grant select, insert, delete on batch_change to riskboard_app;
-- Workers look for batches with many changes.
grant select on batch_change to riskboard_system;

alter table job add batch_id uuid, add batch_file_id uuid;
create index job_batch on job (organization_id, batch_id, state) where batch_id is not null;

-- Signed totals: `rows` are the new versions of files, then the old ones with the sign -1.
create function add_batch_change() returns trigger language plpgsql as $$
begin
  insert into batch_change (organization_id, batch_id, files, bytes, queued, running, succeeded, with_issues, failed,
    cancelled, issues, created, updated, unchanged, skipped, started_at, ended_at)
  select organization_id, batch_id, count(*), sum(size),
    count(*) filter (where state = 'queued'), count(*) filter (where state = 'running'),
    count(*) filter (where state = 'succeeded'), count(*) filter (where state = 'withIssues'),
    count(*) filter (where state = 'failed'), count(*) filter (where state = 'cancelled'),
    sum(issues), sum(created), sum(updated), sum(unchanged), sum(skipped), min(started_at), max(ended_at)
  from added group by organization_id, batch_id;
  return null;
end
$$;
create trigger add_change after insert on batch_file referencing new table as added
  for each statement execute function add_batch_change();

create function update_batch_change() returns trigger language plpgsql as $$
begin
  insert into batch_change (organization_id, batch_id, files, bytes, queued, running, succeeded, with_issues, failed,
    cancelled, issues, created, updated, unchanged, skipped, started_at, ended_at)
  select organization_id, batch_id, 0, sum(sign * size),
    coalesce(sum(sign) filter (where state = 'queued'), 0), coalesce(sum(sign) filter (where state = 'running'), 0),
    coalesce(sum(sign) filter (where state = 'succeeded'), 0),
    coalesce(sum(sign) filter (where state = 'withIssues'), 0),
    coalesce(sum(sign) filter (where state = 'failed'), 0), coalesce(sum(sign) filter (where state = 'cancelled'), 0),
    sum(sign * issues), sum(sign * created), sum(sign * updated), sum(sign * unchanged), sum(sign * skipped),
    min(started_at), max(ended_at) filter (where sign = 1)
  from (select 1 as sign, a.* from added a union all select -1, r.* from removed r) file
  group by organization_id, batch_id;
  return null;
end
$$;
create trigger update_change after update on batch_file referencing new table as added old table as removed
  for each statement execute function update_batch_change();

-- A job of a batch changed its state: writes its attempts and the outcome of its file.
create function follow_batch_jobs() returns trigger language plpgsql as $$
begin
  -- Most updates write progress of a job; jobs outside of batches are the rule.
  if not exists (
    select from changed n join former o on o.id = n.id
    where n.batch_file_id is not null and (n.state <> o.state or n.attempt <> o.attempt)
  ) then
    return null;
  end if;
  perform from batch_file f
    where f.organization_id = current_organization() and f.id in (select n.batch_file_id from changed n)
    order by f.id for update;
  update batch_attempt a set ended_at = clock_timestamp(), message = n.error_message,
    outcome = case n.state when 'running' then 'lost' when 'queued' then 'retried' else n.state end
  from changed n join former o on o.id = n.id
  where a.organization_id = n.organization_id and a.job_id = o.id and a.attempt = o.attempt and a.ended_at is null
    and o.state = 'running' and (n.state <> 'running' or n.attempt <> o.attempt);
  insert into batch_attempt (organization_id, job_id, attempt, batch_file_id, step, started_at)
  select n.organization_id, n.id, n.attempt, n.batch_file_id,
    case n.kind when 'stix.extract' then 'extract' else 'read' end, clock_timestamp()
  from changed n join former o on o.id = n.id
  where n.batch_file_id is not null and n.state = 'running' and n.attempt <> o.attempt;
  update batch_file f set state = s.state, issues = s.issues, objects = s.objects, created = s.created,
    updated = s.updated, unchanged = s.unchanged, skipped = s.skipped, message = s.message,
    started_at = s.started_at, read_at = s.read_at, extract_started_at = s.extract_started_at, ended_at = s.ended_at
  from (
    select b.id, r.objects, r.issues, r.created, r.updated, r.unchanged, r.skipped,
      case when p.state = 'failed' or x.state = 'failed' then 'failed'
        when p.state = 'cancelled' or x.state = 'cancelled' then 'cancelled'
        when p.state = 'queued' then 'queued'
        when p.state = 'running' or x.state <> 'succeeded' then 'running'
        when r.issues > 0 then 'withIssues'
        else 'succeeded' end as state,
      case when p.state = 'failed' then p.error_message when x.state = 'failed' then x.error_message end as message,
      p.started_at, p.finished_at as read_at, x.started_at as extract_started_at,
      case when p.state in ('failed', 'cancelled') or x.state in ('failed', 'cancelled')
          or p.state = 'succeeded' and coalesce(x.state, 'succeeded') = 'succeeded'
        then greatest(p.finished_at, x.finished_at) end as ended_at
    from batch_file b
    join job p on p.organization_id = b.organization_id and p.id = b.parse_job_id
    left join job x on x.organization_id = b.organization_id and x.id = b.extract_job_id
    cross join lateral (
      select coalesce((p.result ->> 'objects')::integer, 0) as objects,
        coalesce((p.result ->> 'failed')::integer, 0) + coalesce((p.result ->> 'warnings')::integer, 0)
          + coalesce((x.result ->> 'skipped')::integer, 0) as issues,
        coalesce((x.result ->> 'created')::integer, 0) as created,
        coalesce((x.result ->> 'updated')::integer, 0) as updated,
        coalesce((x.result ->> 'unchanged')::integer, 0) as unchanged,
        coalesce((x.result ->> 'skipped')::integer, 0) as skipped
    ) r
    where b.organization_id = current_organization()
      and b.id in (select n.batch_file_id from changed n join former o on o.id = n.id
        where n.batch_file_id is not null and n.state <> o.state)
  ) s
  where f.organization_id = current_organization() and f.id = s.id;
  return null;
end
$$;
create trigger follow_batch after update on job referencing new table as changed old table as former
  for each statement execute function follow_batch_jobs();
