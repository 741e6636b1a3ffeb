-- Reports and their bytes by STIX version are numbers of the ledger (decision 0036), so that the dashboard need not read all reports:
-- measure `reports`, bucket the version or 'unknown', sum the bytes.

-- As the functions of migration 0031: counts rows with their sign `n`.
create function overview_of_report(rows text) returns text language sql immutable as $function$
  select format($sql$
    select organization_id, 'reports' as measure, coalesce(stix_version, 'unknown') as bucket, cause,
      sum(n)::integer as count, sum(n * size) as sum
    from (%s) changed
    group by organization_id, coalesce(stix_version, 'unknown'), cause
    having sum(n) <> 0 or sum(n * size) <> 0
  $sql$, rows)
$function$;

-- A statement adds or deletes any number of reports; one that changes what counts is rare and changes one report.
do $do$
declare
  statement constant text := $sql$
    insert into overview_entry (organization_id, day, measure, bucket, cause, count, sum)
    select organization_id, (now() at time zone 'UTC')::date, measure, bucket, cause, count, sum from (%s) counted
  $sql$;
begin
  execute format($create$
    create function record_overview_of_report() returns trigger language plpgsql set jit = off as $body$
    begin
      if current_setting('app.deleting_organization', true) = 'on' then
        return null;
      end if;
      if tg_op = 'INSERT' then
        %s;
      elsif tg_op = 'DELETE' then
        %s;
      else
        %s;
      end if;
      return null;
    end
    $body$
  $create$,
    format(statement, overview_of_report('select 1 as n, ''found'' as cause, added.* from added')),
    format(statement, overview_of_report('select -1 as n, ''deleted'' as cause, removed.* from removed')),
    format(statement, overview_of_report($sql$
      select 1 as n, 'changed' as cause, new.organization_id, new.stix_version, new.size
      union all select -1, 'changed', old.organization_id, old.stix_version, old.size
    $sql$)));
end
$do$;
create trigger record_overview_of_new after insert on report_file referencing new table as added
  for each statement execute function record_overview_of_report();
create trigger record_overview_of_deleted after delete on report_file referencing old table as removed
  for each statement execute function record_overview_of_report();
create trigger record_overview_of_changed after update on report_file for each row
  when (new.size <> old.size or new.stix_version is distinct from old.stix_version)
  execute function record_overview_of_report();

create or replace function overview_recount() returns table (measure text, bucket text, count integer, sum numeric)
  language plpgsql stable as $$
begin
  return query execute format($sql$
    select measure, bucket, sum(count)::integer, sum(sum) from (%s union all %s union all %s union all %s union all %s) counted
    group by measure, bucket having sum(count) <> 0 or sum(sum) <> 0
  $sql$,
    overview_of_vulnerability('select 1 as n, '''' as cause, r.* from vulnerability r where organization_id = current_organization()'),
    overview_of_closing('select 1 as n, r.* from vulnerability r where organization_id = current_organization()'),
    overview_of_threat('select 1 as n, '''' as cause, r.* from threat r where organization_id = current_organization()'),
    overview_of_asset('select 1 as n, '''' as cause, r.* from asset r where organization_id = current_organization()'),
    overview_of_report('select 1 as n, '''' as cause, r.* from report_file r where organization_id = current_organization()'));
end
$$;

-- Existing reports; the triggers lock the table against writers until the end of the transaction.
do $do$
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
    execute format($sql$
      insert into overview_entry (organization_id, day, measure, bucket, cause, count, sum)
      select organization_id, (now() at time zone 'UTC')::date, measure, bucket, cause, count, sum from (%s) counted
    $sql$, overview_of_report('select 1 as n, ''recorded'' as cause, r.* from report_file r where organization_id = current_organization()'));
  end loop;
  perform set_config('app.organization_id', '', true);
end
$do$;
