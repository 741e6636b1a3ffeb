/**
 * SQL: the objects of each file that it revokes or deprecates, with the row `id` of their record. Objects that are merged with
 * others are among them, also where another one keeps the record active.
 */
export const withdrawnObjects = `(
  select r.organization_id, r.file_id, r.id, r.kind, r.ordinal, r.location, r.type, r.stix_id, r.state
  from report_record r where r.state <> 'active' and r.objects is null
  union all
  select r.organization_id, r.file_id, md5(r.id || ' ' || object.ordinality)::uuid, r.kind, coalesce(object.ordinal, r.ordinal),
    coalesce(object.location, r.location), object.type, object."stixId", object.state
  from report_record r cross join lateral rows from (jsonb_to_recordset(r.objects) as (
    "stixId" text, state text, ordinal integer, location text, type text
  )) with ordinality object
  where r.objects is not null and object.state <> 'active'
)`;
