-- Trust: second factor, password reset, invitations, API tokens, mails, and an activity log that names who and where.

alter table organization
  add require_second_factor boolean not null default false,
  -- Since when it is being deleted; nothing is written in it any more.
  add deleting_at timestamptz;
grant delete on organization to riskboard_app;

alter table account
  -- The secret of the authenticator app, sealed with a key made from SESSION_SECRET (AES-256-GCM).
  add totp_secret bytea,
  add totp_enabled_at timestamptz,
  -- The last 30-second step that was used: a code counts once (RFC 6238, 5.2).
  add totp_last_step bigint,
  -- A secret that is being set up and not confirmed yet.
  add totp_pending bytea;
grant delete on account to riskboard_system;
grant update, delete on membership to riskboard_system;
grant select on membership to riskboard_system;
grant update on organization to riskboard_system;
-- Whether somebody has a second factor, the owners of their organisations may know.
grant select (totp_enabled_at) on account to riskboard_app;

-- Each works once, in place of a code. Only the hash is kept; 120 random bits need no slow one.
create table recovery_code (
  account_id uuid not null references account on delete cascade,
  code_hash bytea not null,
  created_at timestamptz not null default now(),
  primary key (account_id, code_hash)
);
grant select, insert, delete on recovery_code to riskboard_system;

create table password_reset (
  token_hash bytea primary key,
  account_id uuid not null references account on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index password_reset_account on password_reset (account_id);
grant select, insert, delete on password_reset to riskboard_system;

create table invitation (
  organization_id uuid not null references organization on delete cascade,
  id uuid not null,
  email citext not null,
  role text not null check (role in ('viewer', 'analyst', 'owner')),
  -- Two secrets for one invitation: the link that the owner saw, and the one that was mailed.
  link_hash bytea not null unique,
  mail_hash bytea unique,
  invited_by uuid,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (organization_id, id),
  unique (organization_id, email)
);
call protect_organization_table('invitation');
create policy system on invitation to riskboard_system using (true) with check (true);
grant select, insert, update, delete on invitation to riskboard_app;
grant select, update, delete on invitation to riskboard_system;

-- For scripts. Never more than its person may: the smaller of its role and the membership's holds.
create table api_token (
  organization_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  name text not null check (name <> ''),
  role text not null check (role in ('viewer', 'analyst', 'owner')),
  token_hash bytea not null unique,
  hint text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, account_id) references membership on delete cascade
);
create index api_token_account on api_token (organization_id, account_id);
call protect_organization_table('api_token');
create policy system on api_token to riskboard_system using (true) with check (true);
grant select, insert, delete on api_token to riskboard_app;
grant select, update, delete on api_token to riskboard_system;

-- Mails to be sent: whom and what about, never a secret. Whoever sends one makes its link then and there; so an address
-- without an account costs the api exactly what one with an account does.
create table outgoing_mail (
  id uuid primary key,
  kind text not null check (kind in ('password-reset', 'invitation', 'account-changed')),
  email citext not null,
  organization_id uuid references organization on delete cascade,
  -- The invitation, where it is one.
  subject_id uuid,
  -- What changed, where it says so.
  detail text not null default '',
  created_at timestamptz not null default now(),
  run_at timestamptz not null default now(),
  tries integer not null default 0
);
create index outgoing_mail_due on outgoing_mail (run_at);
create index outgoing_mail_address on outgoing_mail (email, kind);
alter table outgoing_mail enable row level security;
alter table outgoing_mail force row level security;
create policy system on outgoing_mail to riskboard_system using (true) with check (true);
-- An invitation's mail is asked for in the transaction that makes it.
create policy ask on outgoing_mail for insert to riskboard_app with check (organization_id = current_organization());
grant select, insert, update, delete on outgoing_mail to riskboard_system;
grant insert on outgoing_mail to riskboard_app;

-- Who, as they were called then; from where; and by what. A log must outlive those whom it names.
alter table activity
  add actor text not null default '',
  add name text not null default '',
  add address text not null default '',
  add via text not null default 'system' check (via in ('session', 'token', 'system'));
create index activity_noun on activity (organization_id, noun, at desc, id desc);
create index activity_of on activity (organization_id, noun_id, at desc) where noun_id is not null;

-- An attempt is counted before the password is looked at, and taken back when it was right: many at once, in however
-- many processes, cannot slip through together. What was counted until now was for a quarter of an hour.
delete from login_failure;
alter table login_failure add id uuid primary key;

-- Password resets that were asked for in the last minutes, by the hash of the address: the limit counts what was asked,
-- not what was sent, and so does not tell which addresses have an account.
create table reset_request (
  email_key bytea not null,
  at timestamptz not null default now()
);
create index reset_request_key on reset_request (email_key, at);
create index reset_request_time on reset_request (at);
grant select, insert, delete on reset_request to riskboard_system;

-- Where somebody is signed in, over all their organisations.
create index session_person on session (account_id) where ended_at is null;
