-- Projects and assets with their relations, the user who last changed a record, the CWE catalogue, saved views, and a
-- trash from which deleted records can be restored.

alter table vulnerability add updated_by uuid;
alter table threat add updated_by uuid;

create table project (
  organization_id uuid not null references organization on delete cascade,
  id uuid not null,
  name text not null check (name <> ''),
  description text not null default '',
  objective text not null default '',
  start_date timestamptz not null,
  planned_end_date timestamptz,
  status text not null default 'active' check (status in ('active', 'completed', 'on-hold')),
  client_organization_name text not null default '',
  organization_strategy text not null default '',
  rankings_name text not null default '',
  rankings_description text not null default '',
  rankings_reference text not null default '',
  version integer not null default 1,
  created_by uuid,
  updated_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  -- The planned end is at least one day after the start (spec 5, Project), in UTC days.
  check ((planned_end_date at time zone 'UTC')::date > (start_date at time zone 'UTC')::date)
);
create index project_newest on project (organization_id, created_at desc, id desc);
call protect_organization_table('project');
grant select, insert, update, delete on project to riskboard_app;

create table asset (
  organization_id uuid not null references organization on delete cascade,
  id uuid not null,
  project_id uuid not null,
  name text not null check (name <> ''),
  description text not null default '',
  asset_type_id integer not null check (asset_type_id between 1 and 6),
  criticality integer check (criticality between 1 and 5),
  replacement_cost numeric check (replacement_cost >= 0),
  recovery_cost numeric check (recovery_cost >= 0),
  confidentiality_level integer check (confidentiality_level between 1 and 5),
  confidentiality_description text not null default '',
  integrity_level integer check (integrity_level between 1 and 4),
  integrity_description text not null default '',
  availability_level integer check (availability_level between 1 and 4),
  availability_description text not null default '',
  reference text not null default '',
  start_date timestamptz,
  is_active boolean not null default true,
  version integer not null default 1,
  created_by uuid,
  updated_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, project_id) references project on delete cascade
);
create index asset_newest on asset (organization_id, created_at desc, id desc);
create index asset_name on asset (organization_id, name, id);
create index asset_project on asset (organization_id, project_id);
call protect_organization_table('asset');
grant select, insert, update, delete on asset to riskboard_app;

-- related_id is a child of asset_id. Relations form no cycle (contract, Relationships): the api checks before it
-- writes, with one writer per organization at a time.
create table asset_relation (
  organization_id uuid not null,
  asset_id uuid not null,
  related_id uuid not null,
  primary key (organization_id, asset_id, related_id),
  foreign key (organization_id, asset_id) references asset on delete cascade,
  foreign key (organization_id, related_id) references asset on delete cascade,
  check (asset_id <> related_id)
);
create index asset_relation_related on asset_relation (organization_id, related_id);
call protect_organization_table('asset_relation');
grant select, insert, delete on asset_relation to riskboard_app;

create table vulnerability_asset (
  organization_id uuid not null,
  vulnerability_id uuid not null,
  asset_id uuid not null,
  primary key (organization_id, vulnerability_id, asset_id),
  foreign key (organization_id, vulnerability_id) references vulnerability on delete cascade,
  foreign key (organization_id, asset_id) references asset on delete cascade
);
create index vulnerability_asset_asset on vulnerability_asset (organization_id, asset_id);
call protect_organization_table('vulnerability_asset');
grant select, insert, delete on vulnerability_asset to riskboard_app;

create table threat_asset (
  organization_id uuid not null,
  threat_id uuid not null,
  asset_id uuid not null,
  primary key (organization_id, threat_id, asset_id),
  foreign key (organization_id, threat_id) references threat on delete cascade,
  foreign key (organization_id, asset_id) references asset on delete cascade
);
create index threat_asset_asset on threat_asset (organization_id, asset_id);
call protect_organization_table('threat_asset');
grant select, insert, delete on threat_asset to riskboard_app;

-- The trash: deleted records with their relations, for Undo and restore until the sweeper deletes them.
create table deleted_record (
  organization_id uuid not null references organization on delete cascade,
  noun text not null check (noun in ('vulnerability', 'threat', 'asset', 'project')),
  id uuid not null,
  data jsonb not null,
  -- Relations and assertions, grouped by table.
  links jsonb not null default '{}',
  deleted_by uuid,
  deleted_at timestamptz not null default now(),
  primary key (organization_id, noun, id)
);
create index deleted_record_age on deleted_record (deleted_at);
call protect_organization_table('deleted_record');
create policy system on deleted_record to riskboard_system using (true);
grant select, insert, delete on deleted_record to riskboard_app;
grant select, delete on deleted_record to riskboard_system;

-- MITRE's CWE catalogue, shared by all organizations; loaded with the migrations, completed from the CWE REST API.
create table cwe (
  id integer primary key check (id > 0),
  name text not null,
  data jsonb not null,
  -- Version of the catalogue, or 'api' for an entry from the REST API.
  source text not null,
  fetched_at timestamptz not null default now()
);
grant select on cwe to riskboard_app;
grant select, insert, update on cwe to riskboard_system;

create table saved_view (
  organization_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  list text not null,
  name text not null check (name <> ''),
  search jsonb not null,
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, account_id) references membership on delete cascade
);
create unique index saved_view_default on saved_view (organization_id, account_id, list) where is_default;
create index saved_view_list on saved_view (organization_id, account_id, list);
call protect_organization_table('saved_view');
grant select, insert, update, delete on saved_view to riskboard_app;

-- Search runs under a dedicated database role. Under row-level security, PostgreSQL uses no index for operators that
-- are not leakproof, such as ILIKE and && (PostgreSQL, Row Security Policies), and a search would read every name of
-- the organization. The search role can read only the searched columns. Its functions filter by organization and return
-- ids, which the caller loads under the policy (decision 0012).
grant usage on schema public to riskboard_search;
create policy search on vulnerability for select to riskboard_search using (true);
create policy search on threat for select to riskboard_search using (true);
create policy search on asset for select to riskboard_search using (true);
create policy search on project for select to riskboard_search using (true);
grant select (organization_id, id, name, cve_id, cwe) on vulnerability to riskboard_search;
grant select (organization_id, id, name, threat_id) on threat to riskboard_search;
grant select (organization_id, id, name) on asset to riskboard_search;
grant select (organization_id, id, name) on project to riskboard_search;
create index vulnerability_cwe on vulnerability using gin (cwe);
create index asset_search on asset using gin (name gin_trgm_ops);
create index project_search on project using gin (name gin_trgm_ops);

-- Up to `most` ids of this organization whose name or identifier matches the pattern; all of them when `most` is null.
create function vulnerabilities_like(pattern text, most integer) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as 'select id from vulnerability where organization_id = current_organization()
        and (name ilike pattern or cve_id ilike pattern) limit most';
create function vulnerabilities_of_weakness(weakness text, most integer) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as 'select id from vulnerability where organization_id = current_organization() and cwe @> array[weakness] limit most';
create function threats_like(pattern text, most integer) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as 'select id from threat where organization_id = current_organization()
        and (name ilike pattern or threat_id ilike pattern) limit most';
create function assets_like(pattern text, most integer) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as 'select id from asset where organization_id = current_organization() and name ilike pattern limit most';
create function projects_like(pattern text, most integer) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as 'select id from project where organization_id = current_organization() and name ilike pattern limit most';

-- A role must have CREATE on the schema to become the owner of a function.
grant create on schema public to riskboard_search;
do $$
declare
  name regprocedure;
begin
  foreach name in array array['vulnerabilities_like(text, integer)', 'vulnerabilities_of_weakness(text, integer)',
    'threats_like(text, integer)', 'assets_like(text, integer)', 'projects_like(text, integer)']::regprocedure[]
  loop
    execute format('alter function %s owner to riskboard_search', name);
    execute format('revoke execute on function %s from public', name);
    execute format('grant execute on function %s to riskboard_app', name);
  end loop;
end
$$;
revoke create on schema public from riskboard_search;
