import { tlpStrictness } from '@riskboard/domain';
import { type RawBuilder, sql } from 'kysely';

/**
 * The order of the objects that reports state of a record (`newestObjects`), with the time of their row: the row with the
 * newest one first; among equals the row that made the record, whose id it has, then the file that was uploaded first, because
 * an extraction overwrites only with newer data (STIX mapping, identity keys). Ids of files rise with time. Objects of one row
 * keep the order of the file.
 */
export const byPrecedence = sql`row_modified desc nulls last, row_id is distinct from record_id, file_id, position`;

/** The strictest label has the greatest position. */
const tlpLabels = sql`${sql.lit(`{${tlpStrictness.join(',')}}`)}::text[]`;

/**
 * The CVSS claims of all rows, each once: the claim in use, then the others of its row, those of rows with a vector, and the
 * rest.
 */
const mergedClaims = (order: RawBuilder<unknown>) => sql`(
  select jsonb_agg(claim order by first) from (
    select claim, min(n) as first from (
      select claim, row_number() over (
        order by base ? 'vector' desc nulls last, stating.n,
          (claim->'source', claim->>'vector') is distinct from (base->'source', base->>'vector'), stated.n) as n
      from unnest(array_agg(data->'base' order by ${order}), array_agg(data->'cvss' order by ${order}))
        with ordinality stating(base, claims, n)
      cross join jsonb_array_elements(claims) with ordinality stated(claim, n)
    ) listed group by claim
  ) once)`;

/**
 * The data of rows that are one record: the first value of each field, in an order. The first CVSS score with a vector counts
 * rather than an earlier one without (contract, CVSS), beside the claims of all rows, and the strictest TLP label: the record
 * has texts of all rows.
 */
export const mergedData = (order: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  jsonb_merge_first(data order by ${order}) || jsonb_strip_nulls(jsonb_build_object(
    'base', (array_agg(data->'base' order by ${order}) filter (where data->'base' ? 'vector'))[1],
    'tlp', (${tlpLabels})[max(array_position(${tlpLabels}, data->>'tlp'))]))
  || case when count(data->'cvss') > 1 then jsonb_build_object('cvss', ${mergedClaims(order)}) else '{}' end`;

/**
 * The name of rows that are one record: the first one; a name that only repeats the CVE id, as a substitute does, counts last.
 * Both aggregates have the order of the others: PostgreSQL sorts the rows once for all aggregates of one order.
 */
export const mergedName = (order: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  coalesce((array_agg(name order by ${order}) filter (where name is distinct from data->>'cveId'))[1],
    (array_agg(name order by ${order}))[1])`;
