-- A row of a report that several objects of the file describe, as several vulnerability objects that name one CVE: what each
-- object says, in the order in which they count. Reports give new versions of single objects, and withdraw single ones. Empty
-- for all other rows.
alter table report_record add column objects jsonb;
