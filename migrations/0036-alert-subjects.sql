-- An alert of more than ten findings links to the list of its subjects, so that far more of them are noted: at most this
-- many of a rule for one statement; the others are counted. One row holds them: 10,000 rows would cost 10,000 checks of a
-- foreign key, 2.5 s.
create or replace function alert_subjects() returns integer language sql immutable parallel safe return 10000;

-- `count` includes them.
alter table alert_change add subject_ids uuid[] check (subject_id is null or subject_ids is null);

create or replace function note_alerts_of_vulnerabilities() returns trigger language plpgsql as $$
declare
  fresh constant text := 'now.created_at >= transaction_timestamp() and not exists (
    select from deleted_record trash where trash.organization_id = now.organization_id and trash.id = now.id)';
begin
  if not alert_watches('{critical-vulnerability,score-above}') or not exists (select from added) then
    return null;
  end if;
  -- A restored vulnerability is older than the transaction, and one that a report creates again is in the trash: both
  -- are not new.
  execute format($sql$
    insert into alert_change (organization_id, rule_id, subject_ids, created, count)
    select organization_id, rule_id, array_agg(subject_id) filter (where subject_id is not null), %4$s, count(*) from (
      select now.organization_id, r.id as rule_id,
        case when row_number() over (partition by r.id order by now.severity desc nulls last, now.id) <= alert_subjects()
          then now.id end as subject_id
      from added now %1$s
      join alert_rule r on r.organization_id = now.organization_id and r.enabled
      where r.kind = 'critical-vulnerability' and now.status = 'open' and now.severity >= 9 and %2$s
        or r.kind = 'score-above' and r.score = 'cwss' and now.cwss_score > r.threshold and %3$s
    ) found
    group by organization_id, rule_id
  $sql$,
    case tg_op when 'UPDATE' then
      'join removed was on was.organization_id = now.organization_id and was.id = now.id' else '' end,
    case tg_op when 'UPDATE' then 'not (was.status = ''open'' and coalesce(was.severity, 0) >= 9)'
      else fresh end,
    case tg_op when 'UPDATE' then 'not coalesce(was.cwss_score > r.threshold, false)' else fresh end,
    (tg_op = 'INSERT')::text);
  return null;
end
$$;

create or replace function note_alerts_of_assets() returns trigger language plpgsql as $$
declare
  fresh constant text := 'now.created_at >= transaction_timestamp()';
begin
  -- A restored asset gets its relations back, and is not new.
  if current_setting('app.score_cause', true) = 'restored' then
    return null;
  end if;
  if not alert_watches('{asset-at-risk,score-above}') or not exists (select from added) then
    return null;
  end if;
  execute format($sql$
    insert into alert_change (organization_id, rule_id, subject_ids, created, count)
    select organization_id, rule_id, array_agg(subject_id) filter (where subject_id is not null), %4$s, count(*) from (
      select now.organization_id, r.id as rule_id,
        case when row_number() over (partition by r.id order by now.risk_score desc, now.id) <= alert_subjects()
          then now.id end as subject_id
      from added now %1$s
      join alert_rule r on r.organization_id = now.organization_id and r.enabled
      where r.kind = 'asset-at-risk' and (now.health = 'Critical' or now.risk_score >= 7) and %2$s
        or r.kind = 'score-above' and r.score = 'asset' and now.risk_score > r.threshold and %3$s
    ) found
    group by organization_id, rule_id
  $sql$,
    case tg_op when 'UPDATE' then
      'join removed was on was.organization_id = now.organization_id and was.id = now.id' else '' end,
    case tg_op when 'UPDATE' then 'not (was.health = ''Critical'' or was.risk_score >= 7)'
      else fresh end,
    case tg_op when 'UPDATE' then 'was.risk_score <= r.threshold' else fresh end,
    (tg_op = 'INSERT')::text);
  return null;
end
$$;
