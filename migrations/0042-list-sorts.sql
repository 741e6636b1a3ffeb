-- One index for each sort of the lists of vulnerabilities, threats and assets (decision 0043): a page costs the same in a
-- list of any length. Rows without a value have no entry where most rows have none, so that an import does not write it.
-- Each direction reads the same index, forwards or backwards.
create index concurrently vulnerability_by_source on vulnerability (organization_id, nullif(source_file, '') desc nulls last, id desc);
create index concurrently vulnerability_by_cve on vulnerability (organization_id, nullif(cve_id, '') desc nulls last, id desc);
create index concurrently vulnerability_by_cwe on vulnerability (organization_id, nullif(cwe, '{}') desc nulls last, id desc)
  where nullif(cwe, '{}') is not null;
create index concurrently vulnerability_without_cwe on vulnerability (organization_id, id desc) where nullif(cwe, '{}') is null;
create index concurrently vulnerability_by_status on vulnerability (organization_id, status, id);
create index concurrently vulnerability_by_cvss_version on vulnerability (organization_id, nullif(cvss_version, '') desc nulls last, id desc);
create index concurrently vulnerability_by_discovery on vulnerability (organization_id, discovery_date desc nulls last, id desc);
create index concurrently vulnerability_by_update on vulnerability (organization_id, updated_at, id);
create index concurrently vulnerability_by_category on vulnerability (organization_id, category_id desc nulls last, id desc)
  where category_id is not null;
create index concurrently vulnerability_by_fix on vulnerability (organization_id, fix_date desc nulls last, id desc)
  where fix_date is not null;
create index concurrently vulnerability_by_exploitability on vulnerability (organization_id, exploitability desc nulls last, id desc)
  where exploitability is not null;
create index concurrently vulnerability_by_impact on vulnerability (organization_id, impact desc nulls last, id desc)
  where impact is not null;
create index concurrently vulnerability_by_vignette on vulnerability (organization_id, nullif(applied_vignette, '') desc nulls last, id desc)
  where nullif(applied_vignette, '') is not null;
create index concurrently vulnerability_by_withdrawn on vulnerability (organization_id, nullif(coalesce(withdrawn, ''), '') desc nulls last, id desc)
  where nullif(coalesce(withdrawn, ''), '') is not null;
create index concurrently vulnerability_by_cwss_state on vulnerability (organization_id, nullif(coalesce(cwss_state, ''), '') desc nulls last, id desc)
  where nullif(coalesce(cwss_state, ''), '') is not null;
create index concurrently vulnerability_by_cwss_stale on vulnerability (organization_id, nullif(cwss_stale, '{}') desc nulls last, id desc)
  where nullif(cwss_stale, '{}') is not null;
create index concurrently vulnerability_by_cwss_overrides on vulnerability (organization_id, nullif(cwss_overrides, '{}') desc nulls last, id desc)
  where nullif(cwss_overrides, '{}') is not null;
drop index concurrently if exists vulnerability_cvss;

create index concurrently threat_by_source on threat (organization_id, nullif(source_file, '') desc nulls last, id desc);
create index concurrently threat_by_external_id on threat (organization_id, nullif(threat_id, '') desc nulls last, id desc);
create index concurrently threat_by_kind on threat (organization_id, nullif(kind, '') desc nulls last, id desc);
create index concurrently threat_by_active on threat (organization_id, is_active, id);
create index concurrently threat_by_update on threat (organization_id, updated_at, id);
create index concurrently threat_by_risk on threat (organization_id, nullif(case when risk_level > 60 then 'high' when risk_level > 30 and risk_level <= 60 then 'medium' when risk_level > -1 and risk_level <= 30 then 'low' else '' end, '') desc nulls last, id desc)
  where nullif(case when risk_level > 60 then 'high' when risk_level > 30 and risk_level <= 60 then 'medium' when risk_level > -1 and risk_level <= 30 then 'low' else '' end, '') is not null;
create index concurrently threat_by_type on threat (organization_id, threat_type_id desc nulls last, id desc)
  where threat_type_id is not null;
create index concurrently threat_by_category on threat (organization_id, nullif(threat_category, '') desc nulls last, id desc)
  where nullif(threat_category, '') is not null;
create index concurrently threat_by_motivation on threat (organization_id, motivation desc nulls last, id desc)
  where motivation is not null;
create index concurrently threat_by_capability on threat (organization_id, capability desc nulls last, id desc)
  where capability is not null;
create index concurrently threat_by_likelihood on threat (organization_id, likelihood desc nulls last, id desc)
  where likelihood is not null;
create index concurrently threat_by_impact on threat (organization_id, impact desc nulls last, id desc)
  where impact is not null;
create index concurrently threat_by_withdrawn on threat (organization_id, nullif(coalesce(withdrawn, ''), '') desc nulls last, id desc)
  where nullif(coalesce(withdrawn, ''), '') is not null;

create index concurrently asset_by_type on asset (organization_id, asset_type_id, id);
create index concurrently asset_by_project on asset (organization_id, project_id, id);
create index concurrently asset_by_threats on asset (organization_id, threat_count, id);
create index concurrently asset_by_vulnerabilities on asset (organization_id, vulnerability_count, id);
create index concurrently asset_by_active on asset (organization_id, is_active, id);
create index concurrently asset_by_update on asset (organization_id, updated_at, id);
create index concurrently asset_by_criticality on asset (organization_id, criticality desc nulls last, id desc);
create index concurrently asset_by_confidentiality on asset (organization_id, confidentiality_level desc nulls last, id desc);
create index concurrently asset_by_integrity on asset (organization_id, integrity_level desc nulls last, id desc);
create index concurrently asset_by_availability on asset (organization_id, availability_level desc nulls last, id desc);
create index concurrently asset_by_status on asset (organization_id, nullif(case when health = 'Critical' or risk_score >= 7 then 'at-risk' else '' end, '') desc nulls last, id desc)
  where nullif(case when health = 'Critical' or risk_score >= 7 then 'at-risk' else '' end, '') is not null;
create index concurrently asset_by_replacement_cost on asset (organization_id, replacement_cost desc nulls last, id desc)
  where replacement_cost is not null;
create index concurrently asset_by_recovery_cost on asset (organization_id, recovery_cost desc nulls last, id desc)
  where recovery_cost is not null;
create index concurrently asset_by_start on asset (organization_id, start_date desc nulls last, id desc)
  where start_date is not null;
drop index concurrently if exists asset_project;
create index concurrently asset_texts on asset using gin (organization_id, name gin_trgm_ops, description gin_trgm_ops);
drop index concurrently if exists asset_search;
