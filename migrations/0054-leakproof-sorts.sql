-- The order of withdrawals and CWSS states without coalesce, which PostgreSQL does not know to be leakproof: under row-level
-- security it compared every row of the index instead of beginning where a value or the rest of a page begins.
create index concurrently vulnerability_of_withdrawal on vulnerability (organization_id, nullif(withdrawn, '') desc nulls last, id desc)
  where nullif(withdrawn, '') is not null;
create index concurrently vulnerability_of_cwss_state on vulnerability (organization_id, nullif(cwss_state, '') desc nulls last, id desc)
  where nullif(cwss_state, '') is not null;
create index concurrently threat_of_withdrawal on threat (organization_id, nullif(withdrawn, '') desc nulls last, id desc)
  where nullif(withdrawn, '') is not null;
drop index concurrently if exists vulnerability_by_withdrawn;
drop index concurrently if exists vulnerability_by_cwss_state;
drop index concurrently if exists threat_by_withdrawn;
