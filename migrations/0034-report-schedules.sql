-- When a member is mailed that a risk report is due. It is deleted with the membership or the project.
create table report_schedule (
  organization_id uuid not null,
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  -- Null: the whole organization.
  project_id uuid,
  every text not null check (every in ('week', 'month')),
  next_at timestamptz not null,
  primary key (organization_id, id),
  unique nulls not distinct (organization_id, account_id, project_id),
  foreign key (organization_id, account_id) references membership (organization_id, account_id) on delete cascade,
  foreign key (organization_id, project_id) references project (organization_id, id) on delete cascade
);
create index report_schedule_due on report_schedule (next_at);
create index report_schedule_project on report_schedule (organization_id, project_id) where project_id is not null;
call protect_organization_table('report_schedule');
grant select, insert, update, delete on report_schedule to riskboard_app;
-- Workers look for due schedules, and the sender of mails reads them.
create policy system on report_schedule to riskboard_system using (true);
grant select on report_schedule to riskboard_system;

alter table outgoing_mail
  drop constraint outgoing_mail_kind_check,
  add constraint outgoing_mail_kind_check
    check (kind in ('password-reset', 'invitation', 'account-changed', 'email-change', 'alerts', 'risk-report'));
