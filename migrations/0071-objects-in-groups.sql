-- Previous version: keeps working with report_object. Meanwhile its lists lack the objects of reports that this version reads,
-- and a report that it reads after this version lists the objects of both until it is read again.
--
-- Objects of a file that became no record, as columns of a group: the objects that a parse writes at once. Less work than one row
-- and index entry for each of them, as in report_object, which holds those
-- that the end of a parse finds (superseded versions), and those of earlier parses.
create table report_object_group (
  organization_id uuid not null,
  file_id uuid not null,
  reading uuid not null,
  first_ordinal integer not null,
  ordinals integer[] not null,
  outcomes text[] collate "C" not null,
  types text[] collate "C" not null,
  stix_ids text[] collate "C" not null,
  locations text[] collate "C" not null,
  reasons text[] not null,
  primary key (organization_id, file_id, first_ordinal, reading),
  check (first_ordinal = ordinals[1]),
  check (outcomes <@ array['unmapped', 'failed', 'superseded'] collate "C"),
  check (cardinality(ordinals) = all (array[cardinality(outcomes), cardinality(types), cardinality(stix_ids),
    cardinality(locations), cardinality(reasons)]))
);
-- Ids have nothing to compress: looking for it takes ten times the time of storing them.
alter table report_object_group alter stix_ids set storage external;
call protect_organization_table('report_object_group');
alter table report_object_group alter file_id set statistics 0;
grant select, insert, delete on report_object_group to riskboard_app;

create function drop_object_groups() returns trigger language plpgsql as $$
begin
  delete from report_object_group g using gone where g.organization_id = gone.organization_id and g.file_id = gone.id;
  return null;
end
$$;
create trigger drop_object_groups after delete on report_file referencing old table as gone
  for each statement execute function drop_object_groups();
