-- The rows of reports that revoke or deprecate an object, by key: an extraction looks for those of other reports that withdraw
-- its records, and the deletion of a report for others that still do. Few rows are in it.
create index concurrently report_record_withdrawal on report_record (organization_id, kind, key) where state <> 'active';
