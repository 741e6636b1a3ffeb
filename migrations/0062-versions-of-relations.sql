-- A relationship is an object with versions, which may be revoked: a newer one of its id, in any report, replaces it. Rows of
-- STIX 1.x, whose relationships have no id, and rows from before have none.
alter table report_relation
  add column stix_id text collate "C",
  add column modified timestamptz,
  add column state text collate "C" not null default 'active' check (state in ('active', 'revoked', 'deprecated')),
  add column location text collate "C";
