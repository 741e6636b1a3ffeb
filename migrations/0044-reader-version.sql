-- Version of the reader whose results a report has. The same bytes are not read again by the same version. Null: unknown,
-- they are read again.
alter table report_file add reader integer;
