-- Assets store how many threats and vulnerabilities are related to them, and with that their risk score and health.
-- Every recorded score is kept in a history.

alter table asset
  add threat_count integer not null default 0 check (threat_count >= 0),
  add vulnerability_count integer not null default 0 check (vulnerability_count >= 0);

-- Row-level security holds for the owner too, who is in no organization.
alter table asset no force row level security;
alter table threat_asset no force row level security;
alter table vulnerability_asset no force row level security;
update asset a set threat_count = c.threats, vulnerability_count = c.vulnerabilities
from (
  select organization_id, asset_id, sum(threats)::integer as threats, sum(vulnerabilities)::integer as vulnerabilities
  from (
    select organization_id, asset_id, 1 as threats, 0 as vulnerabilities from threat_asset
    union all
    select organization_id, asset_id, 0, 1 from vulnerability_asset
  ) related
  group by organization_id, asset_id
) c
where a.organization_id = c.organization_id and a.id = c.asset_id;

-- Formulas of spec 9, Assets, and spec 4, Asset health; the same as in packages/domain/src/asset.ts.
alter table asset
  add risk_score numeric(3, 1) not null generated always as (least(10, round((
    coalesce(confidentiality_level, 0) + coalesce(integrity_level, 0) + coalesce(availability_level, 0)
    + 0.5 * threat_count + 0.7 * vulnerability_count + 2 * coalesce(criticality, 0)) / 3.0, 1))) stored,
  add health text not null generated always as (case
    when threat_count = 0 and vulnerability_count = 0 then 'Healthy'
    when vulnerability_count > 3 or threat_count > 5 then 'Critical'
    else 'Warning' end) stored;
create index asset_risk_score on asset (organization_id, risk_score, id);
create index asset_health on asset (organization_id, health, id);

-- One row for each change of an asset's score, and one a day; those of the cause 'example' are the invented history of
-- the demo organization. There is no foreign key to the asset: an asset in the
-- trash keeps its history. Rows are written in the order of their times, because every writer holds the lock of the
-- organization's assets.
create table asset_score (
  organization_id uuid not null references organization on delete cascade,
  asset_id uuid not null,
  at timestamptz not null,
  score numeric(3, 1) not null,
  threat_count integer not null,
  vulnerability_count integer not null,
  cause text not null check (cause in ('created', 'restored', 'imported', 'levels', 'threat-related', 'threat-unrelated',
    'vulnerability-related', 'vulnerability-unrelated', 'daily', 'example')),
  -- Who changed it; null for the daily record and for reports.
  actor uuid,
  primary key (organization_id, asset_id, at)
);
insert into asset_score (organization_id, asset_id, at, score, threat_count, vulnerability_count, cause)
select organization_id, id, now(), risk_score, threat_count, vulnerability_count, 'daily' from asset;
call protect_organization_table('asset_score');
grant select, insert, update, delete on asset_score to riskboard_app;
-- Housekeeping deletes the history of assets that leave the trash.
create policy system on asset_score to riskboard_system using (true);
grant select, delete on asset_score to riskboard_system;

-- The days on which the scores of an organization were recorded, and how far: assets up to `last_id` are done.
create table asset_score_day (
  organization_id uuid not null references organization on delete cascade,
  day date not null,
  last_id uuid,
  finished_at timestamptz,
  primary key (organization_id, day)
);
call protect_organization_table('asset_score_day');
grant select, insert, update, delete on asset_score_day to riskboard_app;
create policy system on asset_score_day to riskboard_system using (true);
grant select on asset_score_day to riskboard_system;

alter table asset force row level security;
alter table threat_asset force row level security;
alter table vulnerability_asset force row level security;

-- The statements of these functions are planned at each call: a plan for one row would compare each of 100,000 rows with
-- each other one.

-- Counts related threats or vulnerabilities in the assets that a statement related or unrelated. It changes no version
-- of an asset: an edit that began earlier is not stale.
create function count_related() returns trigger language plpgsql as $$
begin
  if current_setting('app.deleting_organization', true) = 'on' or not exists (select from changed) then
    return null;
  end if;
  execute format($sql$
    update asset a set %1$I = a.%1$I %2$s c.n
    from (select organization_id, asset_id, count(*)::integer as n from changed group by organization_id, asset_id) c
    where a.organization_id = c.organization_id and a.id = c.asset_id
  $sql$, tg_argv[0], case tg_op when 'INSERT' then '+' else '-' end);
  return null;
end
$$;
create trigger count_related after insert on threat_asset referencing new table as changed
  for each statement execute function count_related('threat_count');
create trigger count_unrelated after delete on threat_asset referencing old table as changed
  for each statement execute function count_related('threat_count');
create trigger count_related after insert on vulnerability_asset referencing new table as changed
  for each statement execute function count_related('vulnerability_count');
create trigger count_unrelated after delete on vulnerability_asset referencing old table as changed
  for each statement execute function count_related('vulnerability_count');

-- Records the scores of new assets. What else the transaction does with them changes this record, so that a restored
-- asset with its relations has one. The transaction may name a cause and an actor.
create function record_new_scores() returns trigger language plpgsql as $$
declare
  own_cause text := coalesce(nullif(current_setting('app.score_cause', true), ''), 'created');
  own_actor uuid := nullif(current_setting('app.score_actor', true), '')::uuid;
  recorded_at timestamptz := coalesce(nullif(current_setting('app.score_at', true), '')::timestamptz, clock_timestamp());
begin
  if not exists (select from added) then
    return null;
  end if;
  perform set_config('app.score_at', recorded_at::text, true);
  execute $sql$
    insert into asset_score (organization_id, asset_id, at, score, threat_count, vulnerability_count, cause, actor)
    select organization_id, id, $1, risk_score, threat_count, vulnerability_count, $2,
      coalesce($3, case when $2 <> 'restored' then created_by end)
    from added
    on conflict (organization_id, asset_id, at) do update set score = excluded.score,
      threat_count = excluded.threat_count, vulnerability_count = excluded.vulnerability_count
  $sql$ using recorded_at, own_cause, own_actor;
  return null;
end
$$;
create trigger record_new_scores after insert on asset referencing new table as added
  for each statement execute function record_new_scores();

-- Records the scores that a statement changed.
create function record_changed_scores() returns trigger language plpgsql as $$
begin
  if not exists (select from added) then
    return null;
  end if;
  execute $sql$
    insert into asset_score (organization_id, asset_id, at, score, threat_count, vulnerability_count, cause, actor)
    select now.organization_id, now.id, coalesce(own.at, clock_timestamp()), now.risk_score, now.threat_count,
      now.vulnerability_count, coalesce($1, case
        when now.threat_count > was.threat_count then 'threat-related'
        when now.threat_count < was.threat_count then 'threat-unrelated'
        when now.vulnerability_count > was.vulnerability_count then 'vulnerability-related'
        when now.vulnerability_count < was.vulnerability_count then 'vulnerability-unrelated'
        else 'levels' end),
      case when now.threat_count = was.threat_count and now.vulnerability_count = was.vulnerability_count
        then now.updated_by else $2 end
    from added now
    join removed was on was.organization_id = now.organization_id and was.id = now.id
    left join asset_score own on own.organization_id = now.organization_id and own.asset_id = now.id and own.at = $3
    where now.risk_score <> was.risk_score
    on conflict (organization_id, asset_id, at) do update set score = excluded.score,
      threat_count = excluded.threat_count, vulnerability_count = excluded.vulnerability_count
  $sql$ using nullif(current_setting('app.score_cause', true), ''),
    nullif(current_setting('app.score_actor', true), '')::uuid,
    nullif(current_setting('app.score_at', true), '')::timestamptz;
  return null;
end
$$;
create trigger record_changed_scores after update on asset referencing new table as added old table as removed
  for each statement execute function record_changed_scores();
