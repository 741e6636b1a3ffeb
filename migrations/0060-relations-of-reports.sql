-- What reports relate a threat or a vulnerability to is found by the ids of STIX objects (packages/db/src/reports/related-records.ts).
-- An id may be longer than an entry of an index can be (2,704 bytes); no real one has 1,000.
create index concurrently report_relation_source on report_relation (organization_id, source_id) where octet_length(source_id) <= 1000;
create index concurrently report_relation_target on report_relation (organization_id, target_id) where octet_length(target_id) <= 1000;

-- The extracted rows of each object. The link is written once, by the extraction, and the index with it.
create index concurrently report_record_vulnerability_object on report_record (organization_id, stix_id)
  where vulnerability_id is not null and octet_length(stix_id) <= 1000;
create index concurrently report_record_threat_object on report_record (organization_id, stix_id)
  where threat_id is not null and octet_length(stix_id) <= 1000;
-- Vulnerabilities that several objects of one report describe, whose ids only the array has. Operators of arrays are not
-- leakproof, so that under row-level security no index of the array would be used. Few rows are in it.
create index concurrently report_record_merged on report_record (organization_id, vulnerability_id)
  where vulnerability_id is not null and cardinality(source_ids) > 1;
