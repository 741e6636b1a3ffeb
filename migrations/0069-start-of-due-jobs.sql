-- Previous version: keeps working. It starts jobs that are not due in its transaction, as before.
--
-- The function of migration 0050 with one more condition: a worker whose clock is wrong gets the message of a postponed job too
-- early or too late, so whether a job is due is decided by the clock of the database.
--
-- Starts a queued job that has not been tried, in the organization that it enters by itself. Returns no row, and changes
-- nothing, when the job is locked, not due or in another state, has a payload that does not match payload_pattern, or belongs to a
-- paused batch: the worker then decides in a transaction of its own (worker/src/jobs/run/job-row.ts). As there, the batch is read
-- after the job is locked.
create or replace function start_job(organization uuid, started uuid, expected_kind text, payload_pattern text)
  returns table (started_job job, file_name text) language plpgsql rows 1 as $$
begin
  perform set_config('app.organization_id', organization::text, true), set_config('synchronous_commit', 'off', true),
    set_config('lock_timeout', '1s', true);
  select * into started_job from job
    where organization_id = organization and id = started and state = 'queued' and tries = 0 and waits_for is null
      and run_at <= now() and kind = expected_kind and payload::text ~ payload_pattern
    for update skip locked;
  if not found then
    return;
  end if;
  if started_job.batch_id is not null then
    perform from batch
      where organization_id = organization and id = started_job.batch_id and paused_at is not null;
    if found then
      return;
    end if;
  end if;
  update job set state = 'running', phase = 'starting', done = 0, total = 0, attempt = attempt + 1, tries = 1,
    version = version + 1, run_id = gen_random_uuid(), heartbeat_at = clock_timestamp(),
    started_at = coalesce(started_at, now()), error_code = null, error_message = null
  where organization_id = organization and id = started
  returning * into started_job;
  if started_job.file_id is not null then
    file_name := (select f.name from report_file f
      where f.organization_id = organization and f.id = started_job.file_id);
  elsif started_job.csv_import_id is not null then
    file_name := (select c.file_name from csv_import c
      where c.organization_id = organization and c.id = started_job.csv_import_id);
  end if;
  return next;
end
$$;
