-- Walks along relations read only the index: what depends on an asset, without the rows of the table. The new index also
-- serves what the old one did.
create index asset_relation_parents on asset_relation (organization_id, related_id, asset_id);
drop index asset_relation_related;
-- The map of a project shows the assets with the highest scores.
create index asset_project_risk on asset (organization_id, project_id, risk_score desc, id);
drop index asset_project;
