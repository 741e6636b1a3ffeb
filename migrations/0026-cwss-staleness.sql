-- A CWSS score is stale from the moment at which something changes that it was calculated from. Triggers write the
-- reason (cwssStaleReasons in packages/contract) in the transaction of the change, and count it in cwss_inputs, also for
-- vulnerabilities without a score: a calculation that runs meanwhile notices it. They change no version of a
-- vulnerability: an edit that began earlier is not stale.
--
-- A trigger that writes rows of other vulnerabilities than the one that is edited runs under the lock of the assertions
-- (packages/db/src/locks), which protects the order of their locks.

-- Reasons without duplicates, in the order in which they came; only a score can be stale.
create function cwss_stale_with(score numeric, stale text[], reasons text[]) returns text[]
  language sql immutable parallel safe
  return case when score is null or reasons <@ stale then stale
    else stale || array(select reason from unnest(reasons) reason where not reason = any (stale)) end;

create function mark_cwss_of_changed() returns trigger language plpgsql as $$
begin
  new.cwss_inputs := old.cwss_inputs + 1;
  new.cwss_stale := cwss_stale_with(new.cwss_score, new.cwss_stale, array_remove(array[
    case when new.cve_id <> old.cve_id then 'cve' end,
    case when new.cwe <> old.cwe then 'cwe' end,
    case when new.cvss_vector <> old.cvss_vector then 'cvss' end], null));
  return new;
end
$$;
create trigger mark_cwss_of_changed before update on vulnerability for each row
  when (new.cve_id <> old.cve_id or new.cwe <> old.cwe or new.cvss_vector <> old.cvss_vector)
  execute function mark_cwss_of_changed();

-- Whether relations that change now leave the scores as they are: the vulnerabilities are deleted, or the caller marks
-- them itself.
create function cwss_is_unmarked() returns boolean language sql stable
  return current_setting('app.deleting_organization', true) = 'on' or current_setting('app.cwss_unmarked', true) = 'on';

-- The statements are planned at each call, as those of migration 0020.
create function mark_cwss_of_related() returns trigger language plpgsql as $$
begin
  if cwss_is_unmarked() or not exists (select from changed) then
    return null;
  end if;
  execute $sql$
    update vulnerability v set cwss_inputs = v.cwss_inputs + 1,
      cwss_stale = cwss_stale_with(v.cwss_score, v.cwss_stale, '{assets}')
    from (select distinct organization_id, vulnerability_id from changed) c
    where v.organization_id = c.organization_id and v.id = c.vulnerability_id
  $sql$;
  return null;
end
$$;
create trigger mark_cwss_of_related after insert on vulnerability_asset referencing new table as changed
  for each statement execute function mark_cwss_of_related();
create trigger mark_cwss_of_unrelated after delete on vulnerability_asset referencing old table as changed
  for each statement execute function mark_cwss_of_related();

-- Most updates of assets only count relations. The row trigger runs first and notes that a criticality changed, so that
-- the others do not compare the rows.
create function note_changed_criticality() returns trigger language plpgsql as $$
begin
  perform set_config('app.criticality_changed', 'on', true);
  return null;
end
$$;
create trigger note_changed_criticality after update on asset for each row
  when (new.criticality is distinct from old.criticality) execute function note_changed_criticality();

create function mark_cwss_of_criticality() returns trigger language plpgsql as $$
begin
  if current_setting('app.criticality_changed', true) is distinct from 'on' then
    return null;
  end if;
  perform set_config('app.criticality_changed', '', true);
  execute $sql$
    update vulnerability v set cwss_inputs = v.cwss_inputs + 1,
      cwss_stale = cwss_stale_with(v.cwss_score, v.cwss_stale, '{assets}')
    from (
      select distinct related.organization_id, related.vulnerability_id
      from added now
      join removed was on was.organization_id = now.organization_id and was.id = now.id
        and was.criticality is distinct from now.criticality
      join vulnerability_asset related on related.organization_id = now.organization_id and related.asset_id = now.id
    ) c
    where v.organization_id = c.organization_id and v.id = c.vulnerability_id
  $sql$;
  return null;
end
$$;
create trigger mark_cwss_of_criticality after update on asset referencing new table as added old table as removed
  for each statement execute function mark_cwss_of_criticality();

-- Factors that an analyst sets, changes or removes. Housekeeping deletes those of vulnerabilities that left the trash,
-- in no organization.
create function mark_cwss_of_overrides() returns trigger language plpgsql as $$
begin
  if current_organization() is null or cwss_is_unmarked() or not exists (select from changed) then
    return null;
  end if;
  update vulnerability v set cwss_inputs = v.cwss_inputs + 1,
    cwss_stale = cwss_stale_with(v.cwss_score, v.cwss_stale, '{factors}'),
    cwss_overrides = array(
      select o.factor from cwss_override o
      where o.organization_id = v.organization_id and o.vulnerability_id = v.id order by o.factor)
  from (select distinct organization_id, vulnerability_id from changed) c
  where v.organization_id = c.organization_id and v.id = c.vulnerability_id;
  return null;
end
$$;
create trigger mark_cwss_of_set_factors after insert on cwss_override referencing new table as changed
  for each statement execute function mark_cwss_of_overrides();
create trigger mark_cwss_of_changed_factors after update on cwss_override referencing new table as changed
  for each statement execute function mark_cwss_of_overrides();
create trigger mark_cwss_of_removed_factors after delete on cwss_override referencing old table as changed
  for each statement execute function mark_cwss_of_overrides();

-- Housekeeping deletes the scores of vulnerabilities that leave the trash, unless an extraction created the vulnerability
-- again under its id.
create policy system on vulnerability to riskboard_system using (true);
grant select (organization_id, id) on vulnerability to riskboard_system;
