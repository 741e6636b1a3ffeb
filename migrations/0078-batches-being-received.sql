-- A file is in `batch_file` only after its last byte. While the bytes of one that takes longer arrive, the api notes the time here, so
-- that the batch does not count as interrupted (decision 0095). Null: no file took that long.
alter table batch add receiving_at timestamptz;
-- Housekeeping keeps a batch whose first file is being received.
grant select (receiving_at) on batch to riskboard_system;
