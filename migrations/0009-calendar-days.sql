-- Calendar days are dates: the day that a user or a report wrote, in no time zone. Until now they were kept as the first
-- moment of that day in UTC. Processes of the version before may run beside this: what they write, an ISO timestamp in
-- UTC, is a valid date, and what they compare as timestamptz is the first moment of the day in their sessions' zone, UTC.
alter table vulnerability
  alter column discovery_date type date using (discovery_date at time zone 'UTC')::date,
  alter column fix_date type date using (fix_date at time zone 'UTC')::date;

-- The check is an expression over timestamps.
alter table project drop constraint project_check;
alter table project
  alter column start_date type date using (start_date at time zone 'UTC')::date,
  alter column planned_end_date type date using (planned_end_date at time zone 'UTC')::date,
  -- At least the day after the start (spec 5, Project).
  add constraint project_check check (planned_end_date > start_date);

alter table asset alter column start_date type date using (start_date at time zone 'UTC')::date;

-- Rows in the trash are JSON with timestamps. The policy of the table holds for its owner too, who is in no organization.
alter table deleted_record no force row level security;
update deleted_record set data = data || (
  select jsonb_object_agg(field.key, to_jsonb(((field.value #>> '{}')::timestamptz at time zone 'UTC')::date))
  from jsonb_each(data) field
  where field.key in ('discovery_date', 'fix_date', 'start_date', 'planned_end_date')
    and jsonb_typeof(field.value) = 'string')
where data ->> 'discovery_date' is not null or data ->> 'fix_date' is not null
  or data ->> 'start_date' is not null or data ->> 'planned_end_date' is not null;
alter table deleted_record force row level security;
