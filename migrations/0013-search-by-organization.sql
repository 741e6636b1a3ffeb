-- Search indexes begin with the organization, like all indexes that a request uses. Without it a search read the matches
-- of every organization and then dropped those of the others. btree_gin is a trusted extension: the owner of the
-- database may create it.
create extension if not exists btree_gin;

-- More memory than usual, so that an index of a million names is built in few passes.
set local maintenance_work_mem = '256MB';

drop index vulnerability_search, vulnerability_cwe, threat_search, asset_search, project_search;
create index vulnerability_search on vulnerability using gin (organization_id, name gin_trgm_ops, cve_id gin_trgm_ops);
create index vulnerability_cwe on vulnerability using gin (organization_id, cwe);
create index threat_search on threat using gin (organization_id, name gin_trgm_ops, threat_id gin_trgm_ops);
create index asset_search on asset using gin (organization_id, name gin_trgm_ops);
create index project_search on project using gin (organization_id, name gin_trgm_ops);
