-- Projects count the threats and vulnerabilities that are related to their assets: relations of an asset are read in the index
-- alone. Without the second column each is read from its row, or the index of the primary key of the whole organization for
-- every project.
create index concurrently vulnerability_asset_by_asset on vulnerability_asset (organization_id, asset_id) include (vulnerability_id);
create index concurrently threat_asset_by_asset on threat_asset (organization_id, asset_id) include (threat_id);
drop index concurrently if exists vulnerability_asset_asset;
drop index concurrently if exists threat_asset_asset;
