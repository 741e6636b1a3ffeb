-- Housekeeping deletes old batches. It searches all organizations for them, and deletes each as its organization.
create index batch_old on batch (created_at);
create policy system on batch to riskboard_system using (true);
create policy system on batch_file to riskboard_system using (true);
grant select (organization_id, id, created_at, closed_at, cancelled_at) on batch to riskboard_system;
grant select (organization_id, batch_id, state, received_at, ended_at) on batch_file to riskboard_system;
