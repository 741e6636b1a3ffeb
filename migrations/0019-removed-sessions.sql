-- Sessions that ended because their person was removed from the organization, which deletes their rows. The browser that
-- still has the cookie of such a session is answered that access ended, until the cookie expires.
create table removed_session (
  session_id uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  removed_at timestamptz not null default now()
);
create index removed_session_organization on removed_session (organization_id);
create index removed_session_age on removed_session (removed_at);
call protect_organization_table('removed_session');
create policy system on removed_session to riskboard_system using (true) with check (true);
grant select, insert on removed_session to riskboard_app;
grant select, delete on removed_session to riskboard_system;
