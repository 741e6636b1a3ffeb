-- The rows of one file in the order of their creation, and their number, are read from one index (decision 0045). It replaces
-- the index of the file alone.
create index concurrently vulnerability_of_source on vulnerability (organization_id, source_file, created_at desc, id desc);
create index concurrently threat_of_source on threat (organization_id, source_file, created_at desc, id desc);
drop index concurrently if exists vulnerability_source;
drop index concurrently if exists threat_source;
