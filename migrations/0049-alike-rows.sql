-- Previous version: keeps working, because only the trigger calls the function.
--
-- Rows of an import or of a deleted report are often alike in what the overview counts. They are grouped by the counted
-- columns before their parts are computed (migration 0035), so that each part is computed once for all of them: 20,000
-- vulnerabilities of one report are counted in less than half of the time. Rows that differ would take longer; a sample
-- decides. Otherwise as in migration 0035.
do $do$
declare
  columns constant text[] := overview_columns('vulnerability');
  listed constant text := array_to_string(columns, ', ');
  now_columns constant text := 'is_now.' || array_to_string(columns, ', is_now.');
  was_columns constant text := 'was.' || array_to_string(columns, ', was.');
  named constant text := 'nullif(current_setting(''app.overview_cause'', true), '''')';
  statement constant text := $sql$
    insert into overview_entry (organization_id, day, measure, bucket, cause, count, sum)
    select organization_id, (now() at time zone 'UTC')::date, measure, bucket, cause, count, sum from (%s) counted
  $sql$;
  operation record;
  body text := '';
begin
  for operation in values
    ('INSERT', 'added', format('select 1 as n, coalesce(%s, ''found'') as cause, added.* from added', named)),
    ('UPDATE', 'added', format($sql$
      select is_now.organization_id, coalesce(%1$s, %2$s) as cause, either.*
      from added is_now
      join removed was on was.organization_id = is_now.organization_id and was.id = is_now.id
      cross join lateral (values (1, %3$s), (-1, %4$s)) either (n, %5$s)
      where (%3$s) is distinct from (%4$s)
    $sql$, named, overview_cause('vulnerability'), now_columns, was_columns, listed)),
    ('DELETE', 'removed', format('select -1 as n, coalesce(%s, ''deleted'') as cause, removed.* from removed', named))
  loop
    body := body || format($plpgsql$
      if tg_op = %1$L then
        perform from %2$s limit few_rows() + 1;
        get diagnostics changed_rows = row_count;
        if changed_rows > few_rows() then
          select count(*) <= 50 into are_alike
          from (select distinct %3$s from (select %3$s from %2$s limit 500) sample) kinds;
          if are_alike then
            execute %4$L;
          else
            execute %5$L;
          end if;
        elsif changed_rows > 0 then
          %6$s;
        end if;
      end if;
    $plpgsql$, operation.column1, operation.column2, listed,
      format(statement, overview_of_vulnerability(format(
        'select organization_id, cause, sum(n)::integer as n, %1$s from (%2$s) each_row group by organization_id, cause, %1$s',
        listed, operation.column3))),
      format(statement, overview_of_vulnerability(operation.column3)),
      format(statement, overview_of_vulnerability(operation.column3, true)));
  end loop;
  execute format($create$
    create or replace function record_overview_of_vulnerability() returns trigger language plpgsql set jit = off as $body$
    declare
      changed_rows integer;
      are_alike boolean;
    begin
      if current_setting('app.deleting_organization', true) = 'on' then
        return null;
      end if;
      if tg_op = 'UPDATE' then
        if current_setting('app.overview_vulnerability', true) is distinct from 'on' then
          return null;
        end if;
        perform set_config('app.overview_vulnerability', '', true);
      end if;
      %s
      return null;
    end
    $body$
  $create$, body);
end
$do$;
