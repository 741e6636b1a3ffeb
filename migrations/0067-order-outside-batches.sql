-- The last waiting job of an organization outside of batches (migration 0068).
create index concurrently job_queue_order_outside_batches on job (organization_id, queue_order)
  where state = 'queued' and waits_for is null and batch_id is null;
