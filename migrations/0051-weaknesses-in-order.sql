-- The index of the sort by weakness includes the weaknesses, so that the rows of one weakness are counted in the index alone
-- (migration 0052). The index of all their values is needed for rows with several weaknesses only: few have more than one,
-- and an import no longer writes the others to it.
create index concurrently vulnerability_of_weakness on vulnerability (organization_id, nullif(cwe, '{}') desc nulls last, id desc)
  include (cwe) where nullif(cwe, '{}') is not null;
create index concurrently vulnerability_of_weaknesses on vulnerability using gin (organization_id, cwe) where cardinality(cwe) > 1;
drop index concurrently if exists vulnerability_by_cwe;
drop index concurrently if exists vulnerability_cwe;
