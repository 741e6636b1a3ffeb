/**
 * SQL: the objects of each file that became no record, each with its location and reason. A parse writes those that it reads in
 * groups; superseded ones, which its end finds, are rows, as are those of versions before migration 0071.
 */
export const objectsWithoutRecord = `(
  select organization_id, file_id, reading, ordinal, outcome, type, stix_id, location, reason from report_object
  union all
  select g.organization_id, g.file_id, g.reading, o.ordinal, o.outcome, o.type, o.stix_id, o.location, o.reason
  from report_object_group g
  cross join lateral unnest(g.ordinals, g.outcomes, g.types, g.stix_ids, g.locations, g.reasons)
    o (ordinal, outcome, type, stix_id, location, reason)
)`;
