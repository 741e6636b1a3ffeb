-- Previous version: keeps working, because the triggers do what the foreign keys did.
--
-- References to vulnerabilities and threats are checked once for each statement (decision 0047). A foreign key looks up
-- each row alone: that was half of the time of deleting 20,000 vulnerabilities, and an extraction paid it for each record.
-- The triggers below lock the same rows in the same mode and raise the same error.

-- The references that they keep.
create function record_references() returns table (referring text, link text, referred text)
  language sql immutable parallel safe
begin atomic
  select 'report_record', 'vulnerability_id', 'vulnerability'
  union all select 'report_record', 'threat_id', 'threat'
  union all select 'vulnerability_asset', 'vulnerability_id', 'vulnerability'
  union all select 'threat_asset', 'threat_id', 'threat';
end;

-- Raises the error of a foreign key.
create function refuse_reference(referring text, referred text) returns void language plpgsql as $$
begin
  raise exception 'rows of table "%" violate a foreign key: table "%" does not have a row that they refer to', referring, referred
    using errcode = 'foreign_key_violation', table = referring;
end
$$;

-- Checks all rows, after a restore that loaded them without triggers.
create function check_record_references() returns void language plpgsql as $$
declare
  reference record;
  is_broken boolean;
begin
  for reference in select * from record_references() loop
    execute format('select exists (select from %I r where r.%2$I is not null and not exists (
      select from %3$I v where v.organization_id = r.organization_id and v.id = r.%2$I))',
      reference.referring, reference.link, reference.referred) into is_broken;
    if is_broken then
      perform refuse_reference(reference.referring, reference.referred);
    end if;
  end loop;
end
$$;

-- The statements below look up ids in an index. Their plans are kept (force_generic_plan): with the ids at hand the
-- planner, which has no statistics of links (migration 0012), expects them to match the whole table.
do $do$
declare
  noun text;
  template text;
  templates constant text[] := array[
    -- A new reference locks its row as a foreign key does: it waits for a deletion of the row, or the deletion for it.
    $create$
      create function check_{noun}_references() returns trigger language plpgsql set plan_cache_mode = force_generic_plan as $body$
      declare
        own uuid;
        ids uuid[];
        locked integer;
      begin
        for own, ids in
          select organization_id, array_agg(distinct {noun}_id) from added where {noun}_id is not null group by organization_id
        loop
          perform from {noun} where organization_id = own and id = any (ids) for key share;
          get diagnostics locked = row_count;
          if locked < cardinality(ids) then
            perform refuse_reference(tg_table_name, '{noun}');
          end if;
        end loop;
        return null;
      end
      $body$
    $create$,
    -- Rows whose link stays as it is are not checked: `except` compares rows by their key.
    $create$
      create function check_changed_{noun}_links() returns trigger language plpgsql set plan_cache_mode = force_generic_plan as $body$
      declare
        own uuid;
        ids uuid[];
        locked integer;
      begin
        for own, ids in
          select organization_id, array_agg(distinct {noun}_id) from (
            select organization_id, {noun}_id, file_id, kind, key from added where {noun}_id is not null
            except all
            select organization_id, {noun}_id, file_id, kind, key from removed where {noun}_id is not null
          ) changed
          group by organization_id
        loop
          perform from {noun} where organization_id = own and id = any (ids) for key share;
          get diagnostics locked = row_count;
          if locked < cardinality(ids) then
            perform refuse_reference(tg_table_name, '{noun}');
          end if;
        end loop;
        return null;
      end
      $body$
    $create$,
    -- As `on delete set null` and `on delete cascade`. Runs after the deletion waited for the locks of new references.
    $create$
      create function remove_references_to_{noun}() returns trigger language plpgsql set plan_cache_mode = force_generic_plan as $body$
      declare
        own uuid;
        ids uuid[];
      begin
        for own, ids in select organization_id, array_agg(id) from removed group by organization_id loop
          update report_record set {noun}_id = null where organization_id = own and {noun}_id = any (ids);
          delete from {noun}_asset where organization_id = own and {noun}_id = any (ids);
        end loop;
        return null;
      end
      $body$
    $create$,
    $create$
      create trigger check_{noun}_links after insert on report_record referencing new table as added
        for each statement execute function check_{noun}_references()
    $create$,
    $create$
      create trigger check_changed_{noun}_links after update on report_record referencing new table as added old table as removed
        for each statement execute function check_changed_{noun}_links()
    $create$,
    $create$
      create trigger check_{noun} after insert on {noun}_asset referencing new table as added
        for each statement execute function check_{noun}_references()
    $create$,
    $create$
      create trigger check_changed_{noun} after update on {noun}_asset referencing new table as added
        for each statement execute function check_{noun}_references()
    $create$,
    $create$
      create trigger remove_references after delete on {noun} referencing old table as removed
        for each statement execute function remove_references_to_{noun}()
    $create$,
    $create$
      create trigger keep_key before update of organization_id, id on {noun} for each row
        when (new.organization_id <> old.organization_id or new.id <> old.id) execute function refuse_new_key()
    $create$,
    'alter table report_record drop constraint report_record_organization_id_{noun}_id_fkey',
    'alter table {noun}_asset drop constraint {noun}_asset_organization_id_{noun}_id_fkey'
  ];
begin
  create function refuse_new_key() returns trigger language plpgsql as $body$
  begin
    raise exception 'the key of a row of table "%" does not change: other rows refer to it', tg_table_name
      using errcode = 'foreign_key_violation', table = tg_table_name;
  end
  $body$;
  foreach noun in array array['vulnerability', 'threat'] loop
    foreach template in array templates loop
      execute replace(template, '{noun}', noun);
    end loop;
  end loop;
end
$do$;

-- As in migration 0004. The counts of reports that are deleted in the same transaction are left as they are.
create or replace function count_assertions() returns trigger language plpgsql as $$
declare
  changed text := case tg_op
    when 'UPDATE' then '(select organization_id, file_id, vulnerability_id, threat_id, 1 as sign from added union all select organization_id, file_id, vulnerability_id, threat_id, -1 from removed)'
    when 'INSERT' then '(select organization_id, file_id, vulnerability_id, threat_id, 1 as sign from added)'
    else '(select organization_id, file_id, vulnerability_id, threat_id, -1 as sign from removed)'
  end;
begin
  if tg_op = 'DELETE' and current_setting('app.uncounted_files', true) = 'on' then
    return null;
  end if;
  execute format($sql$
    update report_file f
    set vulnerability_count = f.vulnerability_count + d.vulnerabilities, threat_count = f.threat_count + d.threats
    from (
      select organization_id, file_id,
        sum(sign) filter (where vulnerability_id is not null) as vulnerabilities,
        sum(sign) filter (where threat_id is not null) as threats
      from %s c
      where vulnerability_id is not null or threat_id is not null
      group by organization_id, file_id
    ) raw
    cross join lateral (select coalesce(raw.vulnerabilities, 0) as vulnerabilities, coalesce(raw.threats, 0) as threats) d
    where f.organization_id = raw.organization_id and f.id = raw.file_id and (d.vulnerabilities <> 0 or d.threats <> 0)
  $sql$, changed);
  return null;
end
$$;
