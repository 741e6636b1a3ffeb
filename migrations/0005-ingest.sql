-- A parse writes objects and relationships while it reads the file. Each run has its own reading id, so uncommitted
-- rows of a stalled run do not block the run that replaces it. Only one reading of a file is ever committed.
alter table report_object add reading uuid not null default '00000000-0000-0000-0000-000000000000';
alter table report_object alter reading drop default,
  drop constraint report_object_pkey,
  add primary key (organization_id, file_id, ordinal, reading);

alter table report_relation add reading uuid not null default '00000000-0000-0000-0000-000000000000';
alter table report_relation alter reading drop default,
  drop constraint report_relation_pkey,
  add primary key (organization_id, file_id, ordinal, n, reading);
