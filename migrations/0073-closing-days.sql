-- A closed vulnerability keeps the day on which it counts as closed in the exposure trend (decision 0089). The triggers of the
-- overview (migration 0049) count it on its fix date or on the day of the last change of its status; where that is not the day on
-- which it was closed, closed_on is, and the triggers below move it to the month of that day.

-- What the activity log knows of vulnerabilities whose status was last changed between closed states. It is read before the table
-- is locked. A row whose status changes meanwhile no longer has the time of that change.
create temporary table known_closing (
  organization_id uuid not null,
  id uuid not null,
  status text not null,
  changed_at timestamptz not null,
  closed_at timestamptz not null,
  was_fixed boolean not null
) on commit drop;
do $$
declare
  organizations uuid[];
  existing uuid;
begin
  -- This role sees all organizations, the owner does not.
  set local role riskboard_system;
  select array_agg(organization_id) into organizations from organization;
  reset role;
  foreach existing in array coalesce(organizations, '{}') loop
    perform set_config('app.organization_id', existing::text, true);
    insert into known_closing
    with changed as (
      select noun_id as id, at, detail #>> '{changes,status,from}' as former, detail #>> '{changes,status,to}' as next
      from activity
      where organization_id = existing
        and action in ('vulnerability.updated', 'vulnerability.reverted', 'vulnerability.updated-many')
        and detail #>> '{changes,status,to}' is not null
    ), dated as (
      -- A change of many vulnerabilities does not name them. One to open may have been one of each.
      select *, max(at) filter (where next = 'open') over (partition by id) as opened_at,
        (select max(at) from changed where id is null and next = 'open') as many_opened_at
      from changed where id is not null
    )
    select existing, id, (array_agg(next order by at desc))[1], max(at), min(at), bool_or(former = 'fixed')
    from dated
    where at > greatest(opened_at, many_opened_at) or greatest(opened_at, many_opened_at) is null
    group by id
    having (array_agg(former order by at desc))[1] <> 'open';
  end loop;
  perform set_config('app.organization_id', '', true);
end
$$;

-- UTC day on which it was closed, where its status has changed since; else null. Kept while it is open, in case it is closed again
-- on the same day.
alter table vulnerability add closed_on date;

-- The day on which a vulnerability that is closed counts as closed. A fix date may move it back, not forward.
create function closing_day(status text, fix_date date, status_changed_at timestamptz, created_at timestamptz, closed_on date)
  returns date language sql immutable parallel safe
  return case when closed_on is null
    then coalesce(case when status = 'fixed' then fix_date end, (coalesce(status_changed_at, created_at) at time zone 'UTC')::date)
    else least(closed_on, case when status = 'fixed' then fix_date end) end;

-- Runs after note_overview (migration 0031), which sets status_changed_at. A day that the update writes itself is kept.
create function note_overview_of_closing() returns trigger language plpgsql as $$
declare
  -- Expressions of declarations cost less than statements, at each of many rows.
  noted constant text := set_config('app.overview_closing', 'on', true);
  changed_on constant date := (new.status_changed_at at time zone 'UTC')::date;
begin
  if new.status <> old.status and new.closed_on is not distinct from old.closed_on then
    new.closed_on := case
      when old.status <> 'open' then least(changed_on,
        closing_day(old.status, old.fix_date, old.status_changed_at, old.created_at, old.closed_on))
      -- It was open at the end of no day, as after an undo.
      when (old.status_changed_at at time zone 'UTC')::date = changed_on then old.closed_on end;
  end if;
  return new;
end
$$;
create trigger note_overview_of_closing before update on vulnerability for each row
  when (new.status <> old.status and (old.status <> 'open' or old.closed_on is not null)
    or (old.closed_on is not null or new.closed_on is not null) and (
      new.closed_on is distinct from old.closed_on or new.severity is distinct from old.severity
      or new.discovery_date is distinct from old.discovery_date or new.fix_date is distinct from old.fix_date
      or new.created_at <> old.created_at or new.status_changed_at is distinct from old.status_changed_at))
  execute function note_overview_of_closing();

-- As the functions of migration 0031: what moves rows from the month in which overview_of_vulnerability counts them as closed to
-- that of their closing day.
create function overview_of_closing(rows text) returns text language sql immutable as $function$
  select format($sql$
    select organization_id, 'unexposed' as measure, to_char(greatest(exposed, closed), 'YYYY-MM-DD') as bucket,
      'kept' as cause, sum(n * moved)::integer as count, sum(severities * moved) as sum
    from (
      select organization_id, exposed, counted_in, closed_in, sum(n) as n, sum(n * severity) as severities
      from (
        select organization_id, n, severity,
          date_trunc('month', coalesce(discovery_date::timestamp, created_at at time zone 'UTC'))::date as exposed,
          date_trunc('month', closing_day(status, fix_date, status_changed_at, created_at, null)::timestamp)::date as counted_in,
          date_trunc('month', closing_day(status, fix_date, status_changed_at, created_at, closed_on)::timestamp)::date as closed_in
        from (%s) changed
        where closed_on is not null and status <> 'open' and severity is not null
      ) dated
      group by organization_id, exposed, counted_in, closed_in
    ) alike
    cross join lateral (values (1, closed_in), (-1, counted_in)) either (moved, closed)
    group by organization_id, greatest(exposed, closed)
    having sum(n * moved) <> 0 or sum(severities * moved) <> 0
  $sql$, rows)
$function$;

-- Nothing is joined, so that one plan serves few rows and many.
do $do$
declare
  new_rows constant text := 'select 1 as n, added.* from added';
  old_rows constant text := 'select -1 as n, removed.* from removed';
  statement constant text := $sql$
    insert into overview_entry (organization_id, day, measure, bucket, cause, count, sum)
    select organization_id, (now() at time zone 'UTC')::date, measure, bucket, cause, count, sum from (%s) counted
  $sql$;
begin
  execute format($create$
    create function record_overview_of_closing() returns trigger language plpgsql set jit = off as $body$
    begin
      if current_setting('app.deleting_organization', true) = 'on' then
        return null;
      end if;
      if tg_op = 'INSERT' then
        %s;
      elsif tg_op = 'DELETE' then
        %s;
      elsif current_setting('app.overview_closing', true) = 'on' then
        perform set_config('app.overview_closing', '', true);
        %s;
      end if;
      return null;
    end
    $body$
  $create$, format(statement, overview_of_closing(new_rows)), format(statement, overview_of_closing(old_rows)),
    format(statement, overview_of_closing(new_rows || ' union all ' || old_rows)));
end
$do$;
create trigger record_closing_of_new after insert on vulnerability referencing new table as added
  for each statement execute function record_overview_of_closing();
create trigger record_closing_of_changed after update on vulnerability
  referencing new table as added old table as removed for each statement execute function record_overview_of_closing();
create trigger record_closing_of_deleted after delete on vulnerability referencing old table as removed
  for each statement execute function record_overview_of_closing();

create or replace function overview_recount() returns table (measure text, bucket text, count integer, sum numeric)
  language plpgsql stable as $$
begin
  return query execute format($sql$
    select measure, bucket, sum(count)::integer, sum(sum) from (%s union all %s union all %s union all %s) counted
    group by measure, bucket having sum(count) <> 0 or sum(sum) <> 0
  $sql$,
    overview_of_vulnerability('select 1 as n, '''' as cause, r.* from vulnerability r where organization_id = current_organization()'),
    overview_of_closing('select 1 as n, r.* from vulnerability r where organization_id = current_organization()'),
    overview_of_threat('select 1 as n, '''' as cause, r.* from threat r where organization_id = current_organization()'),
    overview_of_asset('select 1 as n, '''' as cause, r.* from asset r where organization_id = current_organization()'));
end
$$;

-- The triggers above write the entries.
do $$
declare
  existing uuid;
begin
  for existing in select distinct organization_id from known_closing loop
    perform set_config('app.organization_id', existing::text, true);
    update vulnerability v
    set closed_on = least((k.closed_at at time zone 'UTC')::date, case when k.was_fixed then v.fix_date end)
    from known_closing k
    where k.organization_id = existing and v.organization_id = existing and v.id = k.id
      and v.status = k.status and v.status_changed_at = k.changed_at;
  end loop;
  perform set_config('app.organization_id', '', true);
end
$$;
