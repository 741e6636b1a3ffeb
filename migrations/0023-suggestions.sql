-- Suggestions search the affected products of vulnerabilities under the dedicated role, as all searches do
-- (decision 0012). Few vulnerabilities have any, so the index is small and an extraction seldom writes it.
create index vulnerability_products on vulnerability
  using gin (organization_id, (details->>'affectedProducts') gin_trgm_ops) where details ? 'affectedProducts';
grant select (details) on vulnerability to riskboard_search;

-- Up to `most` ids of this organization for each pattern that an affected product matches.
create function vulnerabilities_of_products(patterns text[], most integer) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select found.id from unnest(patterns) pattern, lateral (
      select id from vulnerability where organization_id = current_organization()
        and details ? 'affectedProducts' and details->>'affectedProducts' ilike pattern limit most
    ) found
  $$;

-- A role must have CREATE on the schema to become the owner of a function.
grant create on schema public to riskboard_search;
alter function vulnerabilities_of_products(text[], integer) owner to riskboard_search;
revoke create on schema public from riskboard_search;
revoke execute on function vulnerabilities_of_products(text[], integer) from public;
grant execute on function vulnerabilities_of_products(text[], integer) to riskboard_app;
