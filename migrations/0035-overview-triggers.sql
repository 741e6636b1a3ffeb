-- Counting a change of few rows costs less (decision 0036): the statements of such a change are static, so that each
-- connection plans them once. Statements of many rows are still planned at each call.

-- Up to this many rows a plan that compares each row with each other one is the fastest.
create function few_rows() returns integer language sql immutable parallel safe return 16;

-- As overview_of_vulnerability(rows) of migration 0031. Of few rows each counts alone: adding up those that are alike
-- takes longer than it saves. The names in braces are the grouping sets.
drop function overview_of_vulnerability(text);
create function overview_of_vulnerability(rows text, are_few boolean default false) returns text
  language plpgsql immutable as $function$
declare
  dated constant text := format($sql$
    select organization_id, n, cause, is_open, created, severity, category_id, related, critical, exposed,
      case when severity >= 9 then 'critical' when severity >= 7 then 'high' when severity >= 4 then 'medium'
        when severity >= 0 then 'low' end as band,
      severity is not null as rated, coalesce(severity >= 7, false) as severe,
      case when severity >= 9 and critical then created end as vital_day,
      case when not is_open then greatest(exposed, date_trunc('month', closed::timestamp)::date) end as unexposed
    from (
      select organization_id, n, cause, status = 'open' as is_open, (created_at at time zone 'UTC')::date as created,
        severity, category_id, asset_count > 0 as related, critical_asset_count > 0 as critical,
        date_trunc('month', coalesce(discovery_date::timestamp, created_at at time zone 'UTC'))::date as exposed,
        case when status <> 'open' then coalesce(case when status = 'fixed' then fix_date end,
          (coalesce(status_changed_at, created_at) at time zone 'UTC')::date) end as closed
      from (%s) changed
    ) row
  $sql$, rows);
  alike constant text := case when are_few then
    format('select one.*, n * severity as severities from (%s) one', dated)
  else format($sql$
    select organization_id, cause, is_open, created, band, category_id, rated, severe, related, critical, exposed,
      unexposed, vital_day,
      grouping(created, band, category_id, related, exposed, unexposed, vital_day) as parts, sum(n) as n,
      sum(n * severity) as severities
    from (%s) one
    group by organization_id, cause, is_open, grouping sets (
      (created), (band), (category_id, rated), (severe, related, critical), (exposed, rated), (unexposed, rated), (vital_day))
  $sql$, dated) end;
  parts constant text[] := array['created', 'band', 'category', 'related', 'exposed', 'unexposed', 'vital'];
  counted text := $sql$
    ('vulnerabilities', '', {band}, 0),
    ('critical', '', {band} and band = 'critical', 0),
    ('open', to_char(created, 'YYYY-MM-DD'), {created} and is_open, 0),
    ('openSeverity', coalesce(band, 'none'), {band} and is_open, coalesce(severities, 0)),
    ('openCategory', coalesce(category_id::text, 'none'), {category} and is_open and rated, severities),
    ('openSevere', 'on-assets', {related} and is_open and severe and related, 0),
    ('openSevere', 'on-mission-critical-assets', {related} and is_open and severe and critical, 0),
    ('criticalOnMissionCritical', to_char(vital_day, 'YYYY-MM-DD'), {vital} and is_open and vital_day is not null, 0),
    ('exposed', to_char(exposed, 'YYYY-MM-DD'), {exposed} and rated, severities),
    ('unexposed', to_char(unexposed, 'YYYY-MM-DD'), {unexposed} and rated and not is_open, severities)
  $sql$;
begin
  for i in 1 .. cardinality(parts) loop
    -- grouping() has a 1 for each column that is not in the set of a row.
    counted := replace(counted, '{' || parts[i] || '}',
      case when are_few then 'true' else format('parts = %s', 127 - (1 << (cardinality(parts) - i))) end);
  end loop;
  return format($sql$
    select organization_id, measure, bucket, cause, sum(n)::integer as count, sum(part) as sum
    from (%s) alike cross join lateral (values %s) counted (measure, bucket, applies, part)
    where applies
    group by organization_id, measure, bucket, cause
    having sum(n) <> 0 or sum(part) <> 0
  $sql$, alike, counted);
end
$function$;

-- The text of a trigger's body: a static statement for few rows, a dynamic one for many.
create function few_or_many(changed_table text, statement text, of_many text default null) returns text
  language sql immutable as $function$
  select format($plpgsql$
    perform from %1$s limit few_rows() + 1;
    get diagnostics changed_rows = row_count;
    if changed_rows > few_rows() then
      execute %3$L;
    elsif changed_rows > 0 then
      %2$s;
    end if;
  $plpgsql$, changed_table, statement, coalesce(of_many, statement))
$function$;

-- Replaces a trigger function, or creates it.
create procedure create_trigger_function(name text, guard text, body text) language plpgsql as $procedure$
begin
  execute format($create$
    create or replace function %I() returns trigger language plpgsql as $body$
    declare
      changed_rows integer;
    begin
      %s
      %s
      return null;
    end
    $body$
  $create$, name, guard, body);
end
$procedure$;

drop function record_overview() cascade;

-- One trigger function for each table, whose statements are made from the texts that count rows. A transaction may name
-- the cause. Compiling the statement for many rows (jit) would take longer than running it.
create procedure create_overview_triggers(noun text) language plpgsql as $procedure$
declare
  columns constant text[] := overview_columns(noun);
  named constant text := 'nullif(current_setting(''app.overview_cause'', true), '''')';
  changed_rows constant text := format($sql$
    select is_now.organization_id, coalesce(%1$s, %2$s) as cause, either.*
    from added is_now
    join removed was on was.organization_id = is_now.organization_id and was.id = is_now.id
    cross join lateral (values (1, %3$s), (-1, %4$s)) either (n, %5$s)
    where (%3$s) is distinct from (%4$s)
  $sql$, named, overview_cause(noun), 'is_now.' || array_to_string(columns, ', is_now.'),
    'was.' || array_to_string(columns, ', was.'), array_to_string(columns, ', '));
  new_rows constant text := format('select 1 as n, coalesce(%s, ''found'') as cause, added.* from added', named);
  old_rows constant text := format('select -1 as n, coalesce(%s, ''deleted'') as cause, removed.* from removed', named);
  statement constant text := $sql$
    insert into overview_entry (organization_id, day, measure, bucket, cause, count, sum)
    select organization_id, (now() at time zone 'UTC')::date, measure, bucket, cause, count, sum from (%s) counted
  $sql$;
  rows text;
  body text := '';
begin
  foreach rows in array array[new_rows, changed_rows, old_rows] loop
    body := body || format('if tg_op = %L then %s end if;',
      case rows when new_rows then 'INSERT' when old_rows then 'DELETE' else 'UPDATE' end,
      few_or_many(case rows when old_rows then 'removed' else 'added' end,
        format(statement, case noun when 'vulnerability' then overview_of_vulnerability(rows, true)
          when 'threat' then overview_of_threat(rows) else overview_of_asset(rows) end),
        format(statement, case noun when 'vulnerability' then overview_of_vulnerability(rows)
          when 'threat' then overview_of_threat(rows) else overview_of_asset(rows) end)));
  end loop;
  call create_trigger_function('record_overview_of_' || noun, format($guard$
    if current_setting('app.deleting_organization', true) = 'on' then
      return null;
    end if;
    if tg_op = 'UPDATE' then
      if current_setting('app.overview_%1$s', true) is distinct from 'on' then
        return null;
      end if;
      perform set_config('app.overview_%1$s', '', true);
    end if;
  $guard$, noun), body);
  execute format($create$
    alter function record_overview_of_%1$s() set jit = off;
    create trigger record_overview_of_new after insert on %1$s referencing new table as added
      for each statement execute function record_overview_of_%1$s();
    create trigger record_overview_of_changed after update on %1$s
      referencing new table as added old table as removed for each statement execute function record_overview_of_%1$s();
    create trigger record_overview_of_deleted after delete on %1$s referencing old table as removed
      for each statement execute function record_overview_of_%1$s();
  $create$, noun);
end
$procedure$;
call create_overview_triggers('vulnerability');
call create_overview_triggers('threat');
call create_overview_triggers('asset');
drop procedure create_overview_triggers(text);

-- The triggers of relations (migrations 0020 and 0031) and of the assets that they change.
do $do$
declare
  counter text;
  operation text;
  body text := '';
begin
  foreach counter in array array['threat_count', 'vulnerability_count'] loop
    foreach operation in array array['INSERT', 'DELETE'] loop
      body := body || format('if tg_argv[0] = %L and tg_op = %L then %s end if;', counter, operation,
        few_or_many('changed', format($sql$
          update asset a set %1$I = a.%1$I %2$s c.n
          from (select organization_id, asset_id, count(*)::integer as n from changed group by organization_id, asset_id) c
          where a.organization_id = c.organization_id and a.id = c.asset_id
        $sql$, counter, case operation when 'INSERT' then '+' else '-' end)));
    end loop;
  end loop;
  call create_trigger_function('count_related', $guard$
    if current_setting('app.deleting_organization', true) = 'on' then
      return null;
    end if;
  $guard$, body);

  body := '';
  foreach operation in array array['INSERT', 'DELETE'] loop
    body := body || format('if tg_op = %L then %s end if;', operation, few_or_many('changed', format($sql$
      update vulnerability v set
        asset_count = greatest(0, v.asset_count %1$s c.assets),
        critical_asset_count = case
          when c.are_deleted then (
            select count(*) from vulnerability_asset r
            join asset a on a.organization_id = r.organization_id and a.id = r.asset_id
            where r.organization_id = v.organization_id and r.vulnerability_id = v.id and a.criticality >= 4)
          else greatest(0, v.critical_asset_count %1$s c.critical) end,
        cwss_inputs = v.cwss_inputs + case when c.is_unmarked then 0 else 1 end,
        cwss_stale = case when c.is_unmarked then v.cwss_stale
          else cwss_stale_with(v.cwss_score, v.cwss_stale, '{assets}') end
      from (
        select r.organization_id, r.vulnerability_id, count(*)::integer as assets,
          (count(*) filter (where a.criticality >= 4))::integer as critical,
          -- The relation went with its asset, whose criticality is no longer known.
          count(*) > count(a.id) as are_deleted,
          coalesce(cwss_is_unmarked(), false) as is_unmarked
        from changed r
        left join asset a on a.organization_id = r.organization_id and a.id = r.asset_id
        group by r.organization_id, r.vulnerability_id
      ) c
      where v.organization_id = c.organization_id and v.id = c.vulnerability_id
    $sql$, case operation when 'INSERT' then '+' else '-' end)));
  end loop;
  call create_trigger_function('mark_cwss_of_related', $guard$
    if current_setting('app.deleting_organization', true) = 'on' or (cwss_is_unmarked() and tg_op = 'DELETE') then
      return null;
    end if;
  $guard$, body);

  call create_trigger_function('mark_cwss_of_criticality', $guard$
    if current_setting('app.criticality_changed', true) is distinct from 'on' then
      return null;
    end if;
    perform set_config('app.criticality_changed', '', true);
  $guard$, few_or_many('added', $sql$
    update vulnerability v set cwss_inputs = v.cwss_inputs + 1,
      cwss_stale = cwss_stale_with(v.cwss_score, v.cwss_stale, '{assets}'),
      critical_asset_count = greatest(0, v.critical_asset_count + c.critical)
    from (
      select related.organization_id, related.vulnerability_id,
        sum((coalesce(now.criticality, 0) >= 4)::integer - (coalesce(was.criticality, 0) >= 4)::integer)::integer as critical
      from added now
      join removed was on was.organization_id = now.organization_id and was.id = now.id
        and was.criticality is distinct from now.criticality
      join vulnerability_asset related on related.organization_id = now.organization_id and related.asset_id = now.id
      group by related.organization_id, related.vulnerability_id
    ) c
    where v.organization_id = c.organization_id and v.id = c.vulnerability_id
  $sql$));

  call create_trigger_function('record_changed_scores', '', few_or_many('added', $sql$
    insert into asset_score (organization_id, asset_id, at, score, threat_count, vulnerability_count, cause, actor)
    select now.organization_id, now.id, coalesce(own.at, clock_timestamp()), now.risk_score, now.threat_count,
      now.vulnerability_count, coalesce(nullif(current_setting('app.score_cause', true), ''), case
        when now.threat_count > was.threat_count then 'threat-related'
        when now.threat_count < was.threat_count then 'threat-unrelated'
        when now.vulnerability_count > was.vulnerability_count then 'vulnerability-related'
        when now.vulnerability_count < was.vulnerability_count then 'vulnerability-unrelated'
        else 'levels' end),
      case when now.threat_count = was.threat_count and now.vulnerability_count = was.vulnerability_count
        then now.updated_by else nullif(current_setting('app.score_actor', true), '')::uuid end
    from added now
    join removed was on was.organization_id = now.organization_id and was.id = now.id
    left join asset_score own on own.organization_id = now.organization_id and own.asset_id = now.id
      and own.at = nullif(current_setting('app.score_at', true), '')::timestamptz
    where now.risk_score <> was.risk_score
    on conflict (organization_id, asset_id, at) do update set score = excluded.score,
      threat_count = excluded.threat_count, vulnerability_count = excluded.vulnerability_count
  $sql$));
end
$do$;
drop procedure create_trigger_function(text, text, text);
drop function few_or_many(text, text, text);
