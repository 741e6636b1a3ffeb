-- A restored row leaves its links to rows that are still in the trash with these rows (packages/db/src/trash/keep-links.ts).
grant update (links) on deleted_record to riskboard_app;
