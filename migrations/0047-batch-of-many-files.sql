-- A job of a batch that changes costs the same in a batch of any size. The function of migration 0039 joined all files of
-- the organization with all of its jobs, because the planner does not know how few rows a trigger's tables have. Here the
-- changed files and jobs are looked up by their keys: arrays, and subqueries that `offset 0` keeps apart.
create or replace function follow_batch_jobs() returns trigger language plpgsql as $$
declare
  files uuid[];
  ended uuid[];
begin
  -- Most updates write progress of a job; jobs outside of batches are the rule.
  files := array(
    select distinct n.batch_file_id from changed n join former o on o.id = n.id
    where n.batch_file_id is not null and (n.state <> o.state or n.attempt <> o.attempt) order by 1);
  if files = '{}' then
    return null;
  end if;
  perform from batch_file f
    where f.organization_id = current_organization() and f.id = any (files) order by f.id for update;
  ended := array(
    select n.id from changed n join former o on o.id = n.id
    where n.batch_file_id is not null and o.state = 'running' and (n.state <> 'running' or n.attempt <> o.attempt));
  if ended <> '{}' then
    update batch_attempt a set ended_at = clock_timestamp(), message = n.error_message,
      outcome = case n.state when 'running' then 'lost' when 'queued' then 'retried' else n.state end
    from changed n join former o on o.id = n.id
    where a.organization_id = current_organization() and a.job_id = any (ended) and a.job_id = o.id
      and a.attempt = o.attempt and a.ended_at is null;
  end if;
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
    from (
      select distinct n.batch_file_id as id from changed n join former o on o.id = n.id
      where n.batch_file_id is not null and n.state <> o.state
    ) one
    cross join lateral (
      select f.id, f.organization_id, f.parse_job_id, f.extract_job_id from batch_file f
      where f.organization_id = current_organization() and f.id = one.id offset 0
    ) b
    cross join lateral (
      select * from job j where j.organization_id = b.organization_id and j.id = b.parse_job_id offset 0
    ) p
    left join lateral (
      select * from job j where j.organization_id = b.organization_id and j.id = b.extract_job_id offset 0
    ) x on true
    cross join lateral (
      select coalesce((p.result ->> 'objects')::integer, 0) as objects,
        coalesce((p.result ->> 'failed')::integer, 0) + coalesce((p.result ->> 'warnings')::integer, 0)
          + coalesce((x.result ->> 'skipped')::integer, 0) as issues,
        coalesce((x.result ->> 'created')::integer, 0) as created,
        coalesce((x.result ->> 'updated')::integer, 0) as updated,
        coalesce((x.result ->> 'unchanged')::integer, 0) as unchanged,
        coalesce((x.result ->> 'skipped')::integer, 0) as skipped
    ) r
  ) s
  where f.organization_id = current_organization() and f.id = any (files) and f.id = s.id;
  return null;
end
$$;
