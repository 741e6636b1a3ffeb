-- CSV imports of assets and vulnerabilities: the file, the choices of the user, the report of the last run, and what an
-- undo needs.
create table csv_import (
  organization_id uuid not null references organization on delete cascade,
  id uuid not null,
  noun text not null check (noun in ('assets', 'vulnerabilities')),
  file_name text not null check (file_name <> ''),
  content_id uuid not null,
  bytes bigint not null,
  -- Rows below the header.
  row_count integer not null,
  -- {index, header, field, samples} of each column; `field` is the automatic match.
  columns jsonb not null,
  -- The choices of the last run.
  mapping jsonb,
  key text,
  project_id uuid,
  -- The last run; only it may write results.
  job_id uuid,
  -- Results: of the last dry run or import, and of the undo.
  counts jsonb,
  undo_counts jsonb,
  imported_at timestamptz,
  undone_at timestamptz,
  created_at timestamptz not null default now(),
  created_by uuid,
  -- 30 days after it the import is deleted.
  changed_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, content_id) references file_content
);
create index csv_import_newest on csv_import (organization_id, created_at desc, id desc);
create index csv_import_content on csv_import (organization_id, content_id);
create index csv_import_age on csv_import (changed_at);
call protect_organization_table('csv_import');
create policy system on csv_import to riskboard_system using (true);
grant select, insert, update, delete on csv_import to riskboard_app;
grant select, delete on csv_import to riskboard_system;

-- The report: one row for each row of the file. For updated records with the columns that the import changed, as they
-- were before and as it wrote them.
create table csv_import_row (
  organization_id uuid not null,
  import_id uuid not null,
  line integer not null,
  action text collate "C" not null check (action in ('created', 'updated', 'unchanged', 'failed', 'kept')),
  record_id uuid,
  name text not null,
  field text,
  problem text,
  former jsonb,
  written jsonb,
  -- Related assets; null when the import did not change them.
  former_related uuid[],
  written_related uuid[],
  primary key (organization_id, import_id, line)
);
-- Failed rows are few among many others, which are found without an index.
create index csv_import_row_failed on csv_import_row (organization_id, import_id, action, line)
  where action in ('failed', 'kept');
call protect_organization_table('csv_import_row');
alter table csv_import_row alter import_id set statistics 0;
create policy system on csv_import_row to riskboard_system using (true);
grant select, insert, update, delete on csv_import_row to riskboard_app;
grant select, delete on csv_import_row to riskboard_system;

-- A foreign key would check the same import for each of up to a million rows; see migration 0004.
create function drop_import_rows() returns trigger language plpgsql as $$
begin
  delete from csv_import_row r using gone where r.organization_id = gone.organization_id and r.import_id = gone.id;
  return null;
end
$$;
create trigger drop_rows after delete on csv_import referencing old table as gone
  for each statement execute function drop_import_rows();

-- Deleting an import deletes its jobs.
alter table job add csv_import_id uuid,
  add foreign key (organization_id, csv_import_id) references csv_import on delete cascade;
create index job_csv_import on job (organization_id, csv_import_id) where csv_import_id is not null;
