-- Jobs, reports and the files of a batch in the order of each column that their lists can be sorted by, as migration 0081. The state
-- of a job or file is in other indexes already, so that its changes write an entry to each index anyway (decision 0098).
create index concurrently report_file_asc_version on report_file (organization_id, nullif(stix_version, '') nulls first, id);
create index concurrently report_file_asc_vulnerabilities on report_file (organization_id, vulnerability_count, id);
create index concurrently report_file_asc_threats on report_file (organization_id, threat_count, id);
create index concurrently report_file_asc_size on report_file (organization_id, size, id);
-- No statement reads reports by the name as it is written.
drop index concurrently if exists report_file_name;
create index concurrently batch_file_asc_state on batch_file (organization_id, batch_id, state, id);
drop index concurrently if exists batch_file_state;
create index concurrently batch_file_asc_issues on batch_file (organization_id, batch_id, issues, id);
create index concurrently batch_file_asc_size on batch_file (organization_id, batch_id, size, id);
create index concurrently batch_file_asc_objects on batch_file (organization_id, batch_id, objects, id);
create index concurrently batch_file_asc_created on batch_file (organization_id, batch_id, created, id);
create index concurrently batch_file_asc_updated on batch_file (organization_id, batch_id, updated, id);
create index concurrently batch_file_asc_unchanged on batch_file (organization_id, batch_id, unchanged, id);
create index concurrently batch_file_asc_skipped on batch_file (organization_id, batch_id, skipped, id);
create index concurrently batch_file_asc_started on batch_file (organization_id, batch_id, started_at nulls first, id);
create index concurrently batch_file_asc_ended on batch_file (organization_id, batch_id, ended_at nulls first, id);
create index concurrently job_asc_kind on job (organization_id, kind, id);
create index concurrently job_asc_state on job (organization_id, state, id);
-- With the condition as a predicate: row-level security keeps a condition on an expression from the index.
create index concurrently job_asc_took on job (organization_id, (extract(epoch from finished_at - started_at)::double precision) nulls first, id)
  where extract(epoch from finished_at - started_at)::double precision is not null;
create index concurrently job_asc_attempt on job (organization_id, attempt, id);
create index concurrently job_asc_started on job (organization_id, started_at nulls first, id);
create index concurrently job_asc_finished on job (organization_id, finished_at nulls first, id);
