-- The files of a batch in the order of their arrival, the order in which its page shows them.
create index concurrently batch_file_newest on batch_file (organization_id, batch_id, received_at desc, id desc);
