-- The newest entries about many objects are found without reading the entries: the index has all columns to sort by, and
-- the noun, which decides whether the reader may see the entry.
drop index activity_of;
create index activity_of on activity (organization_id, noun_id, at desc, id desc) include (noun) where noun_id is not null;
