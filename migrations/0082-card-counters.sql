-- Previous version: keeps working, because it reads measures by their names. Writers of vulnerabilities, threats and assets wait
-- while the existing rows are counted.
--
-- The cards above the lists of vulnerabilities, threats and assets read the ledger of the overview (decision 0036), so that they
-- need not read all rows. As the functions of migration 0031, these count rows with their sign `n`.
create function overview_of_vulnerability_card(rows text) returns text language sql immutable as $function$
  select format($sql$
    select organization_id, measure, bucket, cause, sum(n)::integer as count, sum(part) as sum
    from (%s) changed cross join lateral (values
      ('severityCard', case when severity > 8 then 'critical' else 'high' end, severity > 6, 0),
      ('fixed', '', status = 'fixed', 0),
      ('cvss', '', cvss_score is not null, n * cvss_score)
    ) counted (measure, bucket, applies, part)
    where applies
    group by organization_id, measure, bucket, cause having sum(n) <> 0 or sum(part) <> 0
  $sql$, rows)
$function$;
create function overview_of_threat_card(rows text) returns text language sql immutable as $function$
  select format($sql$
    select organization_id, 'riskCard' as measure, case when risk_level > 70 then 'critical' else 'high' end as bucket, cause,
      sum(n)::integer as count, 0 as sum
    from (%s) changed where risk_level > 40
    group by organization_id, bucket, cause having sum(n) <> 0
  $sql$, rows)
$function$;
create function overview_of_asset_card(rows text) returns text language sql immutable as $function$
  select format($sql$
    select organization_id, 'highLevel' as measure, level as bucket, cause, sum(n)::integer as count, 0 as sum
    from (%s) changed cross join lateral (values
      ('criticality', criticality), ('confidentiality', confidentiality_level), ('integrity', integrity_level)
    ) levels (level, value)
    where value >= 4
    group by organization_id, level, cause having sum(n) <> 0
  $sql$, rows)
$function$;

-- Updates are counted where a trigger before the row has noted one that matters, which the triggers named record_overview take
-- back: they run later, because triggers run in the order of their names.
create or replace trigger note_overview before update on vulnerability for each row when (
  new.status <> old.status or new.severity is distinct from old.severity
  or new.category_id is distinct from old.category_id or new.discovery_date is distinct from old.discovery_date
  or new.fix_date is distinct from old.fix_date or new.created_at <> old.created_at
  or new.status_changed_at is distinct from old.status_changed_at or (new.asset_count > 0) <> (old.asset_count > 0)
  or (new.critical_asset_count > 0) <> (old.critical_asset_count > 0) or new.cvss_score is distinct from old.cvss_score
) execute function note_overview_of_vulnerability();
create trigger note_overview_of_levels before update on asset for each row when (
  (coalesce(new.criticality, 0) >= 4) <> (coalesce(old.criticality, 0) >= 4)
  or (coalesce(new.confidentiality_level, 0) >= 4) <> (coalesce(old.confidentiality_level, 0) >= 4)
  or (coalesce(new.integrity_level, 0) >= 4) <> (coalesce(old.integrity_level, 0) >= 4)
) execute function note_overview_of_asset('levels');

do $do$
declare
  statement constant text := $sql$
    insert into overview_entry (organization_id, day, measure, bucket, cause, count, sum)
    select organization_id, (now() at time zone 'UTC')::date, measure, bucket, cause, count, sum from (%s) counted
  $sql$;
  table_of record;
  operation record;
  counted text;
  body text;
begin
  for table_of in select * from (values
    ('vulnerability', 'status, severity, cvss_score'),
    ('threat', 'risk_level'),
    ('asset', 'criticality, confidentiality_level, integrity_level')
  ) tables (name, columns) loop
    body := '';
    for operation in select * from (values
      ('INSERT', 'added', 'select 1 as n, ''found'' as cause, added.* from added'),
      ('UPDATE', 'added', format(
        $sql$
          select is_now.organization_id, 'changed' as cause, either.* from added is_now
          join removed was on was.organization_id = is_now.organization_id and was.id = is_now.id
          cross join lateral (values (1, %1$s), (-1, %2$s)) either (n, %3$s)
          where (%1$s) is distinct from (%2$s)
        $sql$,
        regexp_replace(table_of.columns, '(\w+)', 'is_now.\1', 'g'), regexp_replace(table_of.columns, '(\w+)', 'was.\1', 'g'),
        table_of.columns)),
      ('DELETE', 'removed', 'select -1 as n, ''deleted'' as cause, removed.* from removed')
    ) operations (name, transition, source) loop
      execute format('select overview_of_%s_card($1)', table_of.name) into counted using operation.source;
      -- A statement of few rows keeps its plan, one of many is planned for them (migration 0035).
      body := body || format($plpgsql$
        if tg_op = %L then
          perform from %s limit few_rows() + 1;
          get diagnostics changed_rows = row_count;
          if changed_rows > few_rows() then
            execute %L;
          elsif changed_rows > 0 then
            %s;
          end if;
        end if;
      $plpgsql$, operation.name, operation.transition, format(statement, counted), format(statement, counted));
    end loop;
    execute format($create$
      create function record_cards_of_%1$s() returns trigger language plpgsql set jit = off as $body$
      declare
        changed_rows integer;
      begin
        if current_setting('app.deleting_organization', true) = 'on'
          or (tg_op = 'UPDATE' and current_setting('app.overview_%1$s', true) is distinct from 'on') then
          return null;
        end if;
        %2$s
        return null;
      end
      $body$
    $create$, table_of.name, body);
    execute format('create trigger record_cards_of_new after insert on %1$I referencing new table as added for each statement execute function record_cards_of_%1$s()', table_of.name);
    execute format('create trigger record_cards_of_changed after update on %1$I referencing old table as removed new table as added for each statement execute function record_cards_of_%1$s()', table_of.name);
    execute format('create trigger record_cards_of_deleted after delete on %1$I referencing old table as removed for each statement execute function record_cards_of_%1$s()', table_of.name);
  end loop;
end
$do$;

create or replace function overview_recount() returns table (measure text, bucket text, count integer, sum numeric)
  language plpgsql stable as $$
declare
  counted text := overview_of_closing('select 1 as n, r.* from vulnerability r where organization_id = current_organization()');
  source record;
  part text;
begin
  for source in select * from (values
    ('vulnerability', 'vulnerability'), ('vulnerability', 'vulnerability_card'), ('threat', 'threat'), ('threat', 'threat_card'),
    ('asset', 'asset'), ('asset', 'asset_card'), ('report_file', 'report')
  ) sources (table_name, name) loop
    execute format('select overview_of_%s($1)', source.name) into part
      using format('select 1 as n, '''' as cause, r.* from %I r where organization_id = current_organization()', source.table_name);
    counted := counted || ' union all ' || part;
  end loop;
  return query execute format($sql$
    select measure, bucket, sum(count)::integer, sum(sum) from (%s) counted
    group by measure, bucket having sum(count) <> 0 or sum(sum) <> 0
  $sql$, counted);
end
$$;

do $do$
declare
  organizations uuid[];
  existing uuid;
  noun text;
  counted text;
begin
  -- This role sees all organizations, the owner does not.
  set local role riskboard_system;
  select array_agg(organization_id) into organizations from organization;
  reset role;
  foreach existing in array coalesce(organizations, '{}') loop
    perform set_config('app.organization_id', existing::text, true);
    foreach noun in array array['vulnerability', 'threat', 'asset'] loop
      execute format('select overview_of_%s_card($1)', noun) into counted
        using format('select 1 as n, ''recorded'' as cause, r.* from %I r where organization_id = current_organization()', noun);
      execute format($sql$
        insert into overview_entry (organization_id, day, measure, bucket, cause, count, sum)
        select organization_id, (now() at time zone 'UTC')::date, measure, bucket, cause, count, sum from (%s) counted
      $sql$, counted);
    end loop;
  end loop;
  perform set_config('app.organization_id', '', true);
end
$do$;
