-- The rows of reports that revoke or deprecate an object, by its id: they withdraw it under every key (decision 0094). An id may be
-- longer than an entry of an index can be: see migration 0060. Few rows are in it.
create index concurrently report_record_withdrawn_object on report_record (organization_id, kind, stix_id)
  where state <> 'active' and octet_length(stix_id) <= 1000;
