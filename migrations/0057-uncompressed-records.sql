-- PostgreSQL compresses a row of more than 2 kB, which took longer than the rest of its insert. Longer texts than a page
-- are compressed as before.
alter table report_record set (toast_tuple_target = 8160);
