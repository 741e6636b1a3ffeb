-- A page far from both ends of a sorted list skips rows in the index of the sort. PostgreSQL does so without reading the rows
-- only where the index has the columns themselves, not only values computed from them: these sorts by a text include it.
-- Entries stay short: a name of a file has 255 characters, one of a vignette 200, and the other texts fewer.
create index concurrently vulnerability_sorted_by_source on vulnerability (organization_id, nullif(source_file, '') desc nulls last, id desc)
  include (source_file);
create index concurrently vulnerability_sorted_by_cve on vulnerability (organization_id, nullif(cve_id, '') desc nulls last, id desc)
  include (cve_id);
create index concurrently vulnerability_sorted_by_cvss_version on vulnerability (organization_id, nullif(cvss_version, '') desc nulls last, id desc)
  include (cvss_version);
create index concurrently vulnerability_sorted_by_vignette on vulnerability (organization_id, nullif(applied_vignette, '') desc nulls last, id desc)
  include (applied_vignette) where nullif(applied_vignette, '') is not null;
create index concurrently vulnerability_sorted_by_withdrawal on vulnerability (organization_id, nullif(withdrawn, '') desc nulls last, id desc)
  include (withdrawn) where nullif(withdrawn, '') is not null;
create index concurrently vulnerability_sorted_by_cwss_state on vulnerability (organization_id, nullif(cwss_state, '') desc nulls last, id desc)
  include (cwss_state) where nullif(cwss_state, '') is not null;
drop index concurrently if exists vulnerability_by_source;
drop index concurrently if exists vulnerability_by_cve;
drop index concurrently if exists vulnerability_by_cvss_version;
drop index concurrently if exists vulnerability_by_vignette;
drop index concurrently if exists vulnerability_of_withdrawal;
drop index concurrently if exists vulnerability_of_cwss_state;
