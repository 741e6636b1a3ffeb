-- What a file says of its objects and relationships is written while it is still being read, each run under an id of
-- its own: the key keeps the uncommitted rows of a run that fell silent out of the way of the one that took over.
-- One reading of a file is all that is ever committed.
alter table report_object add reading uuid not null default '00000000-0000-0000-0000-000000000000';
alter table report_object alter reading drop default,
  drop constraint report_object_pkey,
  add primary key (organization_id, file_id, ordinal, reading);

alter table report_relation add reading uuid not null default '00000000-0000-0000-0000-000000000000';
alter table report_relation alter reading drop default,
  drop constraint report_relation_pkey,
  add primary key (organization_id, file_id, ordinal, n, reading);
