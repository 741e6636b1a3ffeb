-- Ids of this organization with a weakness, at most `most` of those that have it as their first weakness and as many of the
-- others. All arrays with the same first element follow each other in the index of the sort: from the array of this element
-- alone to that of a longer text, in which every collation sorts after it. The longer text ends with the first printable
-- character, so that few other weaknesses are between them, and these are left out by the comparison of the element.
create or replace function vulnerabilities_of_weakness(weakness text, most integer) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp as $$
  (select id from vulnerability where organization_id = current_organization()
     and nullif(cwe, '{}') >= array[weakness] and nullif(cwe, '{}') < array[weakness || '!'] and cwe[1] = weakness limit most)
  union all
  (select id from vulnerability where organization_id = current_organization()
     and cardinality(cwe) > 1 and cwe @> array[weakness] and cwe[1] <> weakness limit most)
$$;

-- Their number, at most twice `most`, counted in the index where the weakness is the first one.
create function count_of_weakness(weakness text, most integer) returns integer
  language sql stable security definer set search_path = public, pg_temp as $$
  select (
    select count(*) from (
      select from vulnerability where organization_id = current_organization()
        and nullif(cwe, '{}') >= array[weakness] and nullif(cwe, '{}') < array[weakness || '!'] and cwe[1] = weakness limit most
    ) first
  )::integer + (
    select count(*) from (
      select from vulnerability where organization_id = current_organization()
        and cardinality(cwe) > 1 and cwe @> array[weakness] and cwe[1] <> weakness limit most
    ) other
  )::integer
$$;

-- The different lists of a column of this organization, at most `most`, from the last in the order of the sort: each is read by
-- one step in the index of the sort. The comparison of lists is not leakproof, so that under row-level security each step would
-- read the index from its start: 8 s for the weaknesses of 10^6 rows. The role can read no other column.
create function lists_in_column(of_table text, of_column text, most integer) returns setof text[]
  language plpgsql stable security definer rows 100 set search_path = public, pg_temp as $$
  declare
    mine text := format('select nullif(%2$I, ''{}'') from %1$I where organization_id = current_organization() and nullif(%2$I, ''{}'') is not null',
      of_table, of_column);
    in_order text := format('order by nullif(%1$I, ''{}'') desc nulls last, id desc limit 1', of_column);
  begin
    return query execute format('
      with recursive step (found) as (
        (%1$s %2$s) union all select (%1$s and nullif(%3$I, ''{}'') < found %2$s) from step where found is not null
      )
      select found from step where found is not null limit %4$L', mine, in_order, of_column, most);
  end
$$;
grant select (cwss_stale, cwss_overrides) on vulnerability to riskboard_search;

-- A role must have CREATE on the schema to become the owner of a function.
grant create on schema public to riskboard_search;
alter function count_of_weakness(text, integer) owner to riskboard_search;
alter function lists_in_column(text, text, integer) owner to riskboard_search;
revoke create on schema public from riskboard_search;
revoke execute on function count_of_weakness(text, integer), lists_in_column(text, text, integer) from public;
grant execute on function count_of_weakness(text, integer), lists_in_column(text, text, integer) to riskboard_app;
