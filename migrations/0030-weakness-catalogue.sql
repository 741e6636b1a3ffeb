-- The weakness catalogue in versions that never change. An organization names the version that it uses, so that neither
-- another organization nor an update of Riskboard changes its scores.

-- The format of its entries changes; the catalogue is loaded again after the migrations.
drop table cwe;

create table cwe_catalogue (
  id uuid primary key,
  -- The organization that uploaded it, which alone sees it. Null: bundled with Riskboard or fetched from MITRE.
  organization_id uuid references organization on delete cascade,
  -- As in '4.15'; of an upload '4.15 (upload 1)'.
  version text not null check (version <> ''),
  -- MITRE's version of the content, as in '4.15'.
  content_version text not null,
  content_date date,
  origin text not null check (origin in ('bundled', 'api', 'upload')),
  file_name text not null default '',
  -- SHA-256 of an uploaded file.
  file_sha256 text not null default '',
  -- MITRE's copyright designation and terms, which every copy has to carry.
  notice text not null,
  weaknesses integer not null,
  categories integer not null,
  views integer not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  -- Set while the installed Riskboard brings this version: the newest one is the standard.
  bundled_at timestamptz,
  check ((origin = 'upload') = (organization_id is not null)),
  unique nulls not distinct (organization_id, version),
  unique (organization_id, id)
);

create table cwe_entry (
  catalogue_id uuid not null references cwe_catalogue on delete cascade,
  -- Of the catalogue.
  organization_id uuid,
  id integer not null check (id > 0),
  kind text not null check (kind in ('weakness', 'category', 'view')),
  name text not null,
  abstraction text not null,
  status text not null,
  -- Of an exploit.
  likelihood text not null,
  -- Impacts of its consequences, each once.
  impacts text[] not null,
  -- Parents in view 1000.
  parents integer[] not null,
  data jsonb not null,
  primary key (catalogue_id, id),
  foreign key (organization_id, catalogue_id) references cwe_catalogue (organization_id, id) on delete cascade
);

-- As for every table of an organization (migration 0012).
alter table cwe_catalogue alter organization_id set statistics 0;
alter table cwe_entry alter organization_id set statistics 0;

-- Single entries of the CWE REST API that the catalogue of an organization lacks; shared, and part of no version.
create table cwe_lookup (
  id integer primary key check (id > 0),
  name text not null,
  data jsonb not null,
  fetched_at timestamptz not null default now()
);
grant select on cwe_lookup to riskboard_app;
grant select, insert on cwe_lookup to riskboard_system;

do $$
declare
  target regclass;
begin
  foreach target in array array['cwe_catalogue', 'cwe_entry']::regclass[] loop
    execute format('alter table %s enable row level security', target);
    execute format('alter table %s force row level security', target);
    execute format('create policy shared on %s for select to riskboard_app
      using (organization_id is null or organization_id = current_organization())', target);
    execute format('create policy upload on %s for insert to riskboard_app
      with check (organization_id = current_organization())', target);
    execute format('create policy system on %s to riskboard_system using (true) with check (true)', target);
    execute format('grant select, insert on %s to riskboard_app', target);
    execute format('grant select, insert, delete on %s to riskboard_system', target);
  end loop;
end
$$;
grant update (bundled_at) on cwe_catalogue to riskboard_system;

-- Null: the newest bundled version.
alter table organization add cwe_catalogue_id uuid references cwe_catalogue on delete set null;
grant update (cwe_catalogue_id) on organization to riskboard_system;

-- The catalogue that the current organization uses.
create function current_catalogue() returns uuid
  language sql stable
  as $$
    select coalesce(
      (select cwe_catalogue_id from organization where organization_id = current_organization()),
      (select id from cwe_catalogue where bundled_at is not null order by bundled_at desc limit 1))
  $$;
