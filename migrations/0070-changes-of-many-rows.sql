-- Previous version: keeps working, because only triggers call the functions, and it never sets app.relations_counted.
--
-- Statements that change many rows, in two places.

-- A change of many jobs of a batch, such as its cancellation. The statements of migration 0047 compared each changed job with
-- each other one, as a plan for one job does, and each file with the list of all of them. The rows are compared once here, by
-- a statement that is planned again for more than a few rows; what follows looks up rows by keys or places. The condition on
-- both tables of a join keeps one for few rows small where only few of many jobs were running.
do $do$
declare
  -- Arguments: files of jobs that changed, those of jobs whose state changed, jobs whose run ended, jobs whose run began.
  compared constant text := $sql$
    select array_agg(distinct n.batch_file_id),
      coalesce(array_agg(distinct n.batch_file_id) filter (where n.state <> o.state), '{}'),
      coalesce(array_agg(n.id) filter (where o.state = 'running' and (n.state <> 'running' or n.attempt <> o.attempt)), '{}'),
      coalesce(array_agg(n.id) filter (where n.state = 'running' and n.attempt <> o.attempt), '{}')
    %s
    from changed n join former o on o.id = n.id
    where n.batch_file_id is not null and (n.state <> o.state or n.attempt <> o.attempt)
  $sql$;
begin
  execute format($create$
    create or replace function follow_batch_jobs() returns trigger language plpgsql as $body$
    declare
      changed_rows integer;
      files uuid[];
      moved uuid[];
      ended uuid[];
      started uuid[];
    begin
      -- Most updates write progress of a job; jobs outside of batches are the rule.
      perform from changed where batch_file_id is not null limit few_rows() + 1;
      get diagnostics changed_rows = row_count;
      if changed_rows > few_rows() then
        execute %L into files, moved, ended, started;
      elsif changed_rows > 0 then
        %s;
      end if;
      if files is null then
        return null;
      end if;
      perform from batch_file f
        where f.organization_id = current_organization() and f.id = any (files) order by f.id for update;
      if ended <> '{}' then
        update batch_attempt a set ended_at = clock_timestamp(), message = n.error_message,
          outcome = case n.state when 'running' then 'lost' when 'queued' then 'retried' else n.state end
        from changed n join former o on o.id = n.id
        where n.id = any (ended) and o.id = any (ended)
          and a.organization_id = current_organization() and a.job_id = any (ended) and a.job_id = o.id
          and a.attempt = o.attempt and a.ended_at is null;
      end if;
      if started <> '{}' then
        insert into batch_attempt (organization_id, job_id, attempt, batch_file_id, step, started_at)
        select n.organization_id, n.id, n.attempt, n.batch_file_id,
          case n.kind when 'stix.extract' then 'extract' else 'read' end, clock_timestamp()
        from changed n where n.id = any (started);
      end if;
      update batch_file f set state = s.state, issues = s.issues, objects = s.objects, created = s.created,
        updated = s.updated, unchanged = s.unchanged, skipped = s.skipped, message = s.message,
        started_at = s.started_at, read_at = s.read_at, extract_started_at = s.extract_started_at, ended_at = s.ended_at
      from (
        select b.place, r.objects, r.issues, r.created, r.updated, r.unchanged, r.skipped,
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
        from unnest(moved) one (id)
        cross join lateral (
          select f.ctid as place, f.organization_id, f.parse_job_id, f.extract_job_id from batch_file f
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
      where f.organization_id = current_organization() and f.ctid = s.place;
      return null;
    end
    $body$
  $create$, format(compared, ''), format(compared, 'into files, moved, ended, started'));
end
$do$;

-- Relations of restored assets: where app.relations_counted is on, the caller writes the counts of both ends itself, with
-- what else it changes in their rows.
do $do$
declare
  noun text;
begin
  foreach noun in array array['threat', 'vulnerability'] loop
    execute format($create$
      create or replace trigger count_related after insert on %I referencing new table as changed
        for each statement when (current_setting('app.relations_counted', true) is distinct from 'on')
        execute function count_related(%L)
    $create$, noun || '_asset', noun || '_count');
  end loop;
end
$do$;
create or replace trigger mark_cwss_of_related after insert on vulnerability_asset referencing new table as changed
  for each statement when (current_setting('app.relations_counted', true) is distinct from 'on')
  execute function mark_cwss_of_related();
