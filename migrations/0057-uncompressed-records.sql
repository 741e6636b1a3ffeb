-- PostgreSQL compresses a row of more than 2 kB, which takes longer than a third of its insert, and once more for the record
-- that is extracted from it. A row of more than a page is compressed as before.
alter table report_record set (toast_tuple_target = 8160);
alter table threat set (toast_tuple_target = 8160);
alter table vulnerability set (toast_tuple_target = 8160);
