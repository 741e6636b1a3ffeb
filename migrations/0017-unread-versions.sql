-- The STIX version of a file is known once it has been read; an upload stored a guess until now. The policies of the
-- table hold for its owner too, who is in no organization.
alter table report_file no force row level security;
update report_file set stix_version = null where object_count is null and stix_version is not null;
alter table report_file force row level security;
