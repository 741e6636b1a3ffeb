-- A new organization begins with starter vignettes. Sign-up inserts them under the system's role, which reads and changes
-- no vignette.
create policy system on vignette for insert to riskboard_system with check (true);
grant insert on vignette to riskboard_system;
create policy system on vignette_version for insert to riskboard_system with check (true);
grant insert on vignette_version to riskboard_system;
