-- The planner must know nothing about single organizations and files. Statistics list the organizations that existed when
-- they were gathered. Of any other organization the planner then expects no row at all, so every index that begins with
-- organization_id looks equally cheap, and it may read all records of the organization for each of them (measured: 70 s
-- instead of 0.1 s). Without statistics it expects the same share of the table, 1/200, for every organization, known or
-- not. The same holds for the columns that link a report's rows to their file and their record.
create or replace procedure protect_organization_table(target regclass)
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy organization on %s using (organization_id = current_organization()) with check (organization_id = current_organization())',
    target);
  execute format('alter table %s alter organization_id set statistics 0', target);
end
$$;

-- `set statistics 0` keeps statistics that exist; only a change of the type deletes them. The type stays the same, so no
-- row is written again; of the indexes, only the partial ones are. A policy must not use the column meanwhile.
do $$
declare
  target record;
  policy record;
  policies text[];
  statement text;
begin
  for target in
    select c.oid::regclass as name, array_agg(a.attname order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and exists (select from pg_attribute o where o.attrelid = c.oid and o.attname = 'organization_id' and not o.attisdropped)
      and (a.attname = 'organization_id'
        or c.relname in ('report_record', 'report_object', 'report_relation')
          and a.attname in ('file_id', 'vulnerability_id', 'threat_id'))
    group by c.oid
  loop
    policies := '{}';
    for policy in
      select p.polname, p.polcmd, p.polpermissive, pg_get_expr(p.polqual, p.polrelid) as condition,
        pg_get_expr(p.polwithcheck, p.polrelid) as written,
        (select string_agg(case r.oid when 0 then 'public' else quote_ident(pg_get_userbyid(r.oid)) end, ', ')
          from unnest(p.polroles) r (oid)) as roles
      from pg_policy p where p.polrelid = target.name
    loop
      policies := policies || (format('create policy %I on %s as %s for %s to %s', policy.polname, target.name,
        case when policy.polpermissive then 'permissive' else 'restrictive' end,
        case policy.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
        policy.roles) || coalesce(' using (' || policy.condition || ')', '')
        || coalesce(' with check (' || policy.written || ')', ''));
      execute format('drop policy %I on %s', policy.polname, target.name);
    end loop;
    execute format('alter table %s ', target.name)
      || (select string_agg(format('alter %I type uuid', name), ', ') from unnest(target.columns) name);
    execute format('alter table %s ', target.name)
      || (select string_agg(format('alter %I set statistics 0', name), ', ') from unnest(target.columns) name);
    foreach statement in array policies loop
      execute statement;
    end loop;
  end loop;
end
$$;
