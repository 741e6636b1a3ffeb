-- Organizations and their accounts. Two roles read and write the data; neither is an owner or a superuser:
--   riskboard_app     every request and job; sees one organization, the one in app.organization_id
--   riskboard_system  sign-in (before the organization is known) and the job sweeper; few tables, few privileges
-- packages/db creates both before the migrations run, because roles belong to the cluster.

create extension if not exists citext;
create extension if not exists pg_trgm;

grant usage on schema public to riskboard_app, riskboard_system;

-- The organization of this transaction. Null outside withOrganization; no row is visible then.
create function current_organization() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.organization_id', true), '')::uuid;

-- Enables forced row-level security on a table of an organization. The policy applies to every role, including the
-- owner: referential actions and their triggers run as the owner.
create procedure protect_organization_table(target regclass)
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy organization on %s using (organization_id = current_organization()) with check (organization_id = current_organization())',
    target);
end
$$;

create table organization (
  organization_id uuid primary key,
  name text not null default '',
  created_at timestamptz not null default now()
);
call protect_organization_table('organization');
create policy system on organization to riskboard_system using (true) with check (true);
grant select, update on organization to riskboard_app;
grant select, insert on organization to riskboard_system;

-- A person. An account can belong to several organizations: row-level security follows the membership table.
create table account (
  id uuid primary key,
  email citext not null unique,
  password_hash text not null,
  first_name text not null,
  last_name text not null default '',
  created_at timestamptz not null default now()
);

create table membership (
  organization_id uuid not null references organization on delete cascade,
  account_id uuid not null references account on delete cascade,
  role text not null check (role in ('viewer', 'analyst', 'owner')),
  created_at timestamptz not null default now(),
  primary key (organization_id, account_id)
);
create index membership_account on membership (account_id);
call protect_organization_table('membership');
create policy system on membership to riskboard_system using (true) with check (true);
grant select, insert, update, delete on membership to riskboard_app;
grant select, insert on membership to riskboard_system;

alter table account enable row level security;
alter table account force row level security;
create policy member on account for select to riskboard_app
  using (exists (select from membership where membership.account_id = account.id));
create policy system on account to riskboard_system using (true) with check (true);
grant select (id, email, first_name, last_name, created_at) on account to riskboard_app;
grant select, insert, update on account to riskboard_system;

-- One sign-in. The refresh secret rotates; presenting a secret that was already rotated ends the session.
create table session (
  id uuid primary key,
  organization_id uuid not null,
  account_id uuid not null,
  refresh_hash bytea not null,
  previous_hash bytea,
  rotated_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  user_agent text not null default '',
  address text not null default '',
  foreign key (organization_id, account_id) references membership on delete cascade
);
create index session_account on session (organization_id, account_id);
call protect_organization_table('session');
create policy system on session to riskboard_system using (true) with check (true);
grant select, update on session to riskboard_app;
grant select, insert, update, delete on session to riskboard_system;

-- Recent failed sign-ins, to slow down guessing. Keys are hashes, so the table does not collect e-mail addresses.
create table login_failure (
  account_key bytea not null,
  address text not null,
  at timestamptz not null default now()
);
create index login_failure_account on login_failure (account_key, at);
create index login_failure_address on login_failure (address, at);
grant select, insert, delete on login_failure to riskboard_system;

-- The activity log. The app's role can insert and read entries, but not change or delete them.
create table activity (
  id uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  at timestamptz not null default now(),
  account_id uuid,
  action text not null,
  noun text not null,
  noun_id uuid,
  detail jsonb not null default '{}'
);
create index activity_time on activity (organization_id, at desc, id desc);
call protect_organization_table('activity');
grant select, insert on activity to riskboard_app;
create policy system on activity for insert to riskboard_system with check (true);
grant insert on activity to riskboard_system;
