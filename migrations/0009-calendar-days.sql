-- Stores calendar days as dates without a time zone: the day that a user or a report wrote. They were stored as the
-- first moment of that day in UTC. Processes of the previous version can run during this migration: the ISO timestamps
-- in UTC that they write are valid dates, and a date compared with a timestamptz is the start of the day in the time
-- zone of their sessions, UTC.
alter table vulnerability
  alter column discovery_date type date using (discovery_date at time zone 'UTC')::date,
  alter column fix_date type date using (fix_date at time zone 'UTC')::date;

-- The check must be recreated, because its expression uses timestamps.
alter table project drop constraint project_check;
alter table project
  alter column start_date type date using (start_date at time zone 'UTC')::date,
  alter column planned_end_date type date using (planned_end_date at time zone 'UTC')::date,
  -- The planned end is at least one day after the start (spec 5, Project).
  add constraint project_check check (planned_end_date > start_date);

alter table asset alter column start_date type date using (start_date at time zone 'UTC')::date;

-- Rows in the trash are JSON with timestamps. The policy also applies to the table's owner, who has no organization, so
-- it is disabled for the update.
alter table deleted_record no force row level security;
update deleted_record set data = data || (
  select jsonb_object_agg(field.key, to_jsonb(((field.value #>> '{}')::timestamptz at time zone 'UTC')::date))
  from jsonb_each(data) field
  where field.key in ('discovery_date', 'fix_date', 'start_date', 'planned_end_date')
    and jsonb_typeof(field.value) = 'string')
where data ->> 'discovery_date' is not null or data ->> 'fix_date' is not null
  or data ->> 'start_date' is not null or data ->> 'planned_end_date' is not null;
alter table deleted_record force row level security;
