-- What is looked up of many related records, by their key. Without it the planner takes the index of all names, which also ends with
-- the id, for as short as the key (it expects 1/200 of a table in each organization, decision 0020), and reads it for each record.
create index concurrently asset_by_key on asset (organization_id, id) include (name, criticality);
create index concurrently project_by_key on project (organization_id, id) include (name);
