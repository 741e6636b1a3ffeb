-- Filters by ranges of numbers find their rows by the index of the sort. Comparisons of the type numeric are not leakproof,
-- so that under row-level security PostgreSQL would read every row of the organization; the search role may use the index
-- (decisions 0012 and 0043).
grant select (severity, cvss_score, cwss_score, exploitability, impact) on vulnerability to riskboard_search;
grant select (risk_level) on threat to riskboard_search;
grant select (risk_score, replacement_cost, recovery_cost, description) on asset to riskboard_search;

-- Up to `most` ids of this organization for each range that the column of the table is in. The role can read no other
-- column, so that a wrong name is refused.
create function ids_in_ranges(of_table text, of_column text, ranges numrange[], most integer) returns setof uuid
  language plpgsql stable security definer rows 10000 set search_path = public, pg_temp as $$
  declare
    wanted numrange;
    is_within text;
  begin
    foreach wanted in array ranges loop
      is_within := concat_ws(' and ',
        case when not lower_inf(wanted) then format(case when lower_inc(wanted) then '%1$I >= %2$L::numeric' else '%1$I > %2$L::numeric' end, of_column, lower(wanted)) end,
        case when not upper_inf(wanted) then format(case when upper_inc(wanted) then '%1$I <= %2$L::numeric' else '%1$I < %2$L::numeric' end, of_column, upper(wanted)) end,
        format('%I is not null', of_column));
      return query execute format('select id from %I where organization_id = current_organization() and %s limit %L', of_table, is_within, most);
    end loop;
  end
$$;

-- The next `most` ids of this organization after a value and an id, in the order of the column's index: ascending, or
-- descending. The index of a column that can be empty ends with its empty values.
create function ids_after(of_table text, of_column text, is_descending boolean, can_be_empty boolean,
  after_value numeric, after_id uuid, most integer) returns setof uuid
  language plpgsql stable security definer rows 1000 set search_path = public, pg_temp as $$
  declare
    direction text := case when is_descending then 'desc' else 'asc' end;
    empty_values text := case when can_be_empty then case when is_descending then 'nulls last' else 'nulls first' end else '' end;
  begin
    return query execute format(
      'select id from %1$I where organization_id = current_organization() and (%2$I, id) %3$s ($1, $2)
       order by %2$I %4$s %5$s, id %4$s limit $3',
      of_table, of_column, case when is_descending then '<' else '>' end, direction, empty_values)
    using after_value, after_id, most;
  end
$$;

-- Up to `most` ids of this organization whose name or description matches the pattern.
create function assets_with_text(pattern text, most integer) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as 'select id from asset where organization_id = current_organization()
        and (name ilike pattern or description ilike pattern) limit most';

-- A role must have CREATE on the schema to become the owner of a function.
grant create on schema public to riskboard_search;
alter function ids_in_ranges(text, text, numrange[], integer) owner to riskboard_search;
alter function assets_with_text(text, integer) owner to riskboard_search;
alter function ids_after(text, text, boolean, boolean, numeric, uuid, integer) owner to riskboard_search;
revoke create on schema public from riskboard_search;
revoke execute on function ids_in_ranges(text, text, numrange[], integer), assets_with_text(text, integer),
  ids_after(text, text, boolean, boolean, numeric, uuid, integer) from public;
grant execute on function ids_in_ranges(text, text, numrange[], integer), assets_with_text(text, integer),
  ids_after(text, text, boolean, boolean, numeric, uuid, integer) to riskboard_app;
