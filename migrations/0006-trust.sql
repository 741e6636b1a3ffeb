-- Account security: second factor, password reset, invitations, API tokens, mail, and activity entries with actor and
-- address.

alter table organization
  add require_second_factor boolean not null default false,
  -- Start of its deletion; from then on it rejects writes.
  add deleting_at timestamptz;
grant delete on organization to riskboard_app;

alter table account
  -- Secret of the authenticator app, encrypted with a key derived from SESSION_SECRET (AES-256-GCM).
  add totp_secret bytea,
  add totp_enabled_at timestamptz,
  -- The last 30-second step that was used: each code is accepted once (RFC 6238, 5.2).
  add totp_last_step bigint,
  -- A secret that the user has not confirmed yet.
  add totp_pending bytea;
grant delete on account to riskboard_system;
grant update, delete on membership to riskboard_system;
grant select on membership to riskboard_system;
grant update on organization to riskboard_system;
-- Owners can see which members have a second factor.
grant select (totp_enabled_at) on account to riskboard_app;

-- Each recovery code replaces one authenticator code. Stored as a fast hash: 120 random bits need no slow one.
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
  -- An invitation has two secrets: one in the link that the owner saw, one in the mailed link.
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

-- For scripts. The effective role is the lower of the token's role and the membership's role.
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

-- Mail to be sent: recipient and purpose, never a secret. The worker creates the link when it sends the mail, so the
-- api does the same work for addresses with and without an account.
create table outgoing_mail (
  id uuid primary key,
  kind text not null check (kind in ('password-reset', 'invitation', 'account-changed')),
  email citext not null,
  organization_id uuid references organization on delete cascade,
  -- The invitation, for kind 'invitation'.
  subject_id uuid,
  -- What changed, for kind 'account-changed'.
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
-- The transaction that creates an invitation also requests its mail.
create policy ask on outgoing_mail for insert to riskboard_app with check (organization_id = current_organization());
grant select, insert, update, delete on outgoing_mail to riskboard_system;
grant insert on outgoing_mail to riskboard_app;

-- Actor name at that time, address and kind of caller. Stored as text, because the log outlives the accounts it names.
alter table activity
  add actor text not null default '',
  add name text not null default '',
  add address text not null default '',
  add via text not null default 'system' check (via in ('session', 'token', 'system'));
create index activity_noun on activity (organization_id, noun, at desc, id desc);
create index activity_of on activity (organization_id, noun_id, at desc) where noun_id is not null;

-- An attempt is counted before the password is checked, and the count is removed when the password is right. Parallel
-- attempts in several processes therefore cannot exceed the limit. Existing rows would expire within 15 minutes.
delete from login_failure;
alter table login_failure add id uuid primary key;

-- Recent password reset requests, by the hash of the address. The limit counts requests, not sent mail, so it does not
-- reveal which addresses have an account.
create table reset_request (
  email_key bytea not null,
  at timestamptz not null default now()
);
create index reset_request_key on reset_request (email_key, at);
create index reset_request_time on reset_request (at);
grant select, insert, delete on reset_request to riskboard_system;

-- For the sessions of a person in all organizations.
create index session_person on session (account_id) where ended_at is null;
