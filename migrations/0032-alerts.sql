-- Alerts: rules, the inbox of an organization, e-mails and webhooks.
--
-- Triggers write what a rule watches into alert_change, in the transaction of the change; the job alerts.evaluate
-- consumes these rows. A change of a transaction that commits late is therefore not missed, and the cost of an
-- evaluation depends on the changes, not on the number of vulnerabilities.

create table alert_rule (
  organization_id uuid not null references organization on delete cascade,
  id uuid not null,
  name text not null check (name <> ''),
  kind text not null check (kind in ('critical-vulnerability', 'asset-at-risk', 'import-failed', 'score-above',
    'nothing-imported')),
  enabled boolean not null default true,
  score text check (score in ('overall', 'asset', 'cwss')),
  threshold numeric,
  days integer check (days between 1 and 365),
  digest text not null default 'immediately' check (digest in ('immediately', 'hourly', 'daily')),
  -- Whether the overall score was above the threshold in the last evaluation; null before the first.
  was_above boolean,
  version integer not null default 1,
  created_by uuid,
  created_at timestamptz not null default now(),
  changed_by uuid,
  last_alert_at timestamptz,
  primary key (organization_id, id),
  check ((kind = 'score-above') = (score is not null)),
  check ((kind = 'score-above') = (threshold is not null)),
  check ((kind = 'nothing-imported') = (days is not null))
);

-- Members that a rule mails; a member who leaves is no longer among them.
create table alert_rule_member (
  organization_id uuid not null,
  rule_id uuid not null,
  account_id uuid not null,
  primary key (organization_id, rule_id, account_id),
  foreign key (organization_id, rule_id) references alert_rule (organization_id, id) on delete cascade,
  foreign key (organization_id, account_id) references membership (organization_id, account_id) on delete cascade
);
create index alert_rule_member_account on alert_rule_member (organization_id, account_id);

create table webhook (
  organization_id uuid not null references organization on delete cascade,
  id uuid not null,
  name text not null check (name <> ''),
  url text not null,
  -- Encrypted with WEBHOOK_KEY (packages/db/src/alerts/webhook-secret.ts).
  secret bytea not null,
  secret_hint text not null,
  -- Signs too until `previous_until`.
  previous_secret bytea,
  previous_until timestamptz,
  enabled boolean not null default true,
  disabled_reason text check (disabled_reason in ('owner', 'gone', 'failing')),
  disabled_at timestamptz,
  -- First failed attempt since the last successful one.
  failing_since timestamptz,
  version integer not null default 1,
  created_by uuid,
  created_at timestamptz not null default now(),
  changed_by uuid,
  primary key (organization_id, id),
  check (enabled = (disabled_reason is null)),
  check ((previous_secret is null) = (previous_until is null))
);

create table alert_rule_webhook (
  organization_id uuid not null,
  rule_id uuid not null,
  webhook_id uuid not null,
  primary key (organization_id, rule_id, webhook_id),
  foreign key (organization_id, rule_id) references alert_rule (organization_id, id) on delete cascade,
  foreign key (organization_id, webhook_id) references webhook (organization_id, id) on delete cascade
);
create index alert_rule_webhook_webhook on alert_rule_webhook (organization_id, webhook_id);

-- What a rule watches and has not evaluated yet. No foreign key to the rule: an import that runs for minutes would
-- prevent its deletion.
create table alert_change (
  organization_id uuid not null references organization on delete cascade,
  id bigint generated always as identity,
  rule_id uuid not null,
  -- The vulnerability, asset or job; null for `count` more of the same statement.
  subject_id uuid,
  count integer not null default 1 check (count > 0),
  -- The subject is new: a report that creates a vulnerability again, under its id, is no second occurrence.
  created boolean not null default false,
  at timestamptz not null default now(),
  primary key (organization_id, id)
);

create table alert (
  organization_id uuid not null references organization on delete cascade,
  id uuid not null,
  kind text not null,
  severity text not null check (severity in ('critical', 'high', 'medium', 'low')),
  title text not null,
  description text not null,
  count integer not null check (count > 0),
  link text not null,
  rule_id uuid,
  rule_name text,
  -- Shown to owners only.
  for_owners boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, rule_id) references alert_rule (organization_id, id) on delete set null (rule_id)
);
create index alert_rule_alerts on alert (organization_id, rule_id) where rule_id is not null;
create index alert_old on alert (created_at);

-- What an alert is about; each occurrence of a rule on a subject once.
create table alert_finding (
  organization_id uuid not null,
  rule_id uuid not null,
  subject_id uuid not null,
  -- Distinguishes what happens to one subject more than once: the change, or the last import before the silence.
  occurrence text not null,
  alert_id uuid not null,
  primary key (organization_id, rule_id, subject_id, occurrence),
  foreign key (organization_id, rule_id) references alert_rule (organization_id, id) on delete cascade,
  foreign key (organization_id, alert_id) references alert (organization_id, id) on delete cascade
);
create index alert_finding_alert on alert_finding (organization_id, alert_id);

-- What a member has read: all alerts up to one, and single later ones.
create table alert_reader (
  organization_id uuid not null,
  account_id uuid not null,
  read_until uuid not null,
  primary key (organization_id, account_id),
  foreign key (organization_id, account_id) references membership (organization_id, account_id) on delete cascade
);
create table alert_read (
  organization_id uuid not null,
  account_id uuid not null,
  alert_id uuid not null,
  primary key (organization_id, account_id, alert_id),
  foreign key (organization_id, account_id) references membership (organization_id, account_id) on delete cascade,
  foreign key (organization_id, alert_id) references alert (organization_id, id) on delete cascade
);
create index alert_read_alert on alert_read (organization_id, alert_id);

-- Alerts that a member gets by e-mail. `mail_id` is the row of outgoing_mail, once it is requested.
create table alert_mail (
  organization_id uuid not null,
  account_id uuid not null,
  alert_id uuid not null,
  due_at timestamptz not null,
  mail_id uuid,
  primary key (organization_id, account_id, alert_id),
  foreign key (organization_id, account_id) references membership (organization_id, account_id) on delete cascade,
  foreign key (organization_id, alert_id) references alert (organization_id, id) on delete cascade
);
create index alert_mail_alert on alert_mail (organization_id, alert_id);
create index alert_mail_due on alert_mail (due_at) where mail_id is null;
create index alert_mail_requested on alert_mail (mail_id) where mail_id is not null;

create table webhook_delivery (
  organization_id uuid not null,
  -- The header webhook-id.
  id uuid not null,
  webhook_id uuid not null,
  type text not null check (type in ('alert.created', 'webhook.test')),
  alert_id uuid,
  -- The bytes that are signed and sent.
  payload text not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed', 'cancelled')),
  -- Attempts, and those since the last request to deliver.
  attempts integer not null default 0,
  tries integer not null default 0,
  status_code integer,
  duration_ms integer,
  error text,
  created_at timestamptz not null default now(),
  last_attempt_at timestamptz,
  next_attempt_at timestamptz,
  -- The job of the next attempt; another job may be created after `leased_until`.
  job_id uuid,
  leased_until timestamptz,
  primary key (organization_id, id),
  -- One delivery of an alert to a webhook.
  unique (organization_id, webhook_id, alert_id),
  foreign key (organization_id, webhook_id) references webhook (organization_id, id) on delete cascade,
  foreign key (organization_id, alert_id) references alert (organization_id, id) on delete set null (alert_id),
  check ((state = 'waiting') = (next_attempt_at is not null))
);
create index webhook_delivery_of on webhook_delivery (organization_id, webhook_id, id desc);
create index webhook_delivery_alert on webhook_delivery (organization_id, alert_id) where alert_id is not null;
create index webhook_delivery_due on webhook_delivery (next_attempt_at) where state = 'waiting';
create index webhook_delivery_old on webhook_delivery (created_at);

create table webhook_attempt (
  organization_id uuid not null,
  delivery_id uuid not null,
  n integer not null,
  at timestamptz not null default now(),
  status_code integer,
  duration_ms integer not null,
  error text,
  primary key (organization_id, delivery_id, n),
  foreign key (organization_id, delivery_id) references webhook_delivery (organization_id, id) on delete cascade
);

do $$
declare
  target regclass;
begin
  foreach target in array array['alert_rule', 'alert_rule_member', 'alert_rule_webhook', 'alert_change', 'alert',
    'alert_finding', 'alert_reader', 'alert_read', 'alert_mail', 'webhook', 'webhook_delivery',
    'webhook_attempt']::regclass[] loop
    call protect_organization_table(target);
    -- As for every table of an organization (migration 0012).
    execute format('alter table %s alter organization_id set statistics 0', target);
    execute format('grant select, insert, update, delete on %s to riskboard_app', target);
  end loop;
end
$$;

-- The role that serves requests writes secrets and cannot read them, encrypted as they are (migration 0015). Workers
-- read them under the system role.
revoke select on webhook from riskboard_app;
grant select (organization_id, id, name, url, secret_hint, previous_until, enabled, disabled_reason, disabled_at,
  failing_since, version, created_by, created_at, changed_by) on webhook to riskboard_app;

-- A new secret makes the current one the previous one, which the role that writes it cannot read.
create function keep_previous_webhook_secret() returns trigger language plpgsql as $$
begin
  new.previous_secret := case when new.previous_until is not null then old.secret end;
  return new;
end
$$;
create trigger keep_previous_webhook_secret before update of secret on webhook for each row
  execute function keep_previous_webhook_secret();

-- Workers search all organizations for work, mails and outdated rows.
create policy system on alert_rule to riskboard_system using (true);
create policy system on alert_change to riskboard_system using (true);
create policy system on alert to riskboard_system using (true);
create policy system on alert_mail to riskboard_system using (true);
create policy system on webhook to riskboard_system using (true);
create policy system on webhook_delivery to riskboard_system using (true);
grant select on alert_rule, alert_change, alert_mail, webhook to riskboard_system;
-- Housekeeping deletes old evaluations and deliveries from the list of jobs.
grant delete on job to riskboard_system;
grant select, delete on alert, webhook_delivery to riskboard_system;

alter table outgoing_mail
  drop constraint outgoing_mail_kind_check,
  add constraint outgoing_mail_kind_check
    check (kind in ('password-reset', 'invitation', 'account-changed', 'email-change', 'alerts'));

-- At most this many subjects of a rule are noted for one statement; the others are counted.
create function alert_subjects() returns integer language sql immutable parallel safe return 100;

-- Whether the organization has an enabled rule of one of these kinds: all other changes cost only this question.
create function alert_watches(kinds text[]) returns boolean language sql stable
  return coalesce(current_setting('app.deleting_organization', true), '') <> 'on' and exists (
    select from alert_rule r
    where r.organization_id = current_organization() and r.enabled and r.kind = any (kinds));

create function note_alerts_of_vulnerabilities() returns trigger language plpgsql as $$
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
    insert into alert_change (organization_id, rule_id, subject_id, created, count)
    select organization_id, rule_id, subject_id, %4$s, count(*) from (
      select now.organization_id, r.id as rule_id,
        case when row_number() over (partition by r.id order by now.severity desc nulls last, now.id) <= alert_subjects()
          then now.id end as subject_id
      from added now %1$s
      join alert_rule r on r.organization_id = now.organization_id and r.enabled
      where r.kind = 'critical-vulnerability' and now.status = 'open' and now.severity >= 9 and %2$s
        or r.kind = 'score-above' and r.score = 'cwss' and now.cwss_score > r.threshold and %3$s
    ) found
    group by organization_id, rule_id, subject_id
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
create trigger note_alerts_of_new after insert on vulnerability referencing new table as added
  for each statement execute function note_alerts_of_vulnerabilities();
create trigger note_alerts_of_changed after update on vulnerability
  referencing new table as added old table as removed
  for each statement execute function note_alerts_of_vulnerabilities();

-- As the measure assetsAtRisk (docs/decisions/0036).
create function note_alerts_of_assets() returns trigger language plpgsql as $$
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
    insert into alert_change (organization_id, rule_id, subject_id, created, count)
    select organization_id, rule_id, subject_id, %4$s, count(*) from (
      select now.organization_id, r.id as rule_id,
        case when row_number() over (partition by r.id order by now.risk_score desc, now.id) <= alert_subjects()
          then now.id end as subject_id
      from added now %1$s
      join alert_rule r on r.organization_id = now.organization_id and r.enabled
      where r.kind = 'asset-at-risk' and (now.health = 'Critical' or now.risk_score >= 7) and %2$s
        or r.kind = 'score-above' and r.score = 'asset' and now.risk_score > r.threshold and %3$s
    ) found
    group by organization_id, rule_id, subject_id
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
create trigger note_alerts_of_new after insert on asset referencing new table as added
  for each statement execute function note_alerts_of_assets();
create trigger note_alerts_of_changed after update on asset referencing new table as added old table as removed
  for each statement execute function note_alerts_of_assets();

-- A job that waited for a failed one fails with it and is not reported again.
create function note_failed_import() returns trigger language plpgsql as $$
begin
  insert into alert_change (organization_id, rule_id, subject_id)
  select r.organization_id, r.id, new.id from alert_rule r
  where r.organization_id = new.organization_id and r.enabled and r.kind = 'import-failed';
  return null;
end
$$;
create trigger note_failed_import after update on job for each row
  when (new.state = 'failed' and old.state <> 'failed' and new.kind in ('stix.parse', 'stix.extract', 'csv.import')
    and new.error_code is distinct from 'prerequisite_failed')
  execute function note_failed_import();
