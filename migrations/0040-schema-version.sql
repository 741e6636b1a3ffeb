-- Each process compares the applied migrations with its own: readiness names an older or newer schema, and workers wait for
-- an older one.
grant select on kysely_migration to riskboard_system;
