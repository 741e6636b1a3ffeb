-- Newer versions of a relationship are found by its id. An id may be longer than an entry of an index can be: see migration 0060.
create index concurrently report_relation_version on report_relation (organization_id, stix_id) where octet_length(stix_id) <= 1000;
