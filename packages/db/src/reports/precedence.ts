import { type RawBuilder, sql } from 'kysely';

/**
 * The order of the report rows `r` that assert a record: the newest `modified` first; among equals the row that made the record,
 * whose id it has, then the file that was uploaded first, because an extraction overwrites only with newer data (STIX mapping,
 * identity keys). Ids of files rise with time.
 */
export const byPrecedence = sql`r.modified desc nulls last, r.id is distinct from coalesce(r.vulnerability_id, r.threat_id), r.file_id`;

/**
 * The data of rows that are one record: the first value of each field, in an order. The first CVSS score with a vector counts
 * rather than an earlier one without (contract, CVSS).
 */
export const mergedData = (order: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  jsonb_merge_first(data order by ${order}) || jsonb_strip_nulls(jsonb_build_object(
    'base', (array_agg(data->'base' order by ${order}) filter (where data->'base' ? 'vector'))[1]))`;
