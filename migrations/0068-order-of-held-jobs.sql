-- Previous version: keeps working, because it sets no orders itself.
--
-- The order in which waiting jobs start (migration 0014), changed in two points. Jobs of batches do not delay the other jobs of
-- their organization: alerts, calculations and single reports start in rotation with them. Jobs that wait for their batch to be
-- resumed have the order 0, which counts for no other job, and get a new one when the batch is resumed.
create or replace function set_queue_order() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  -- The largest priority of a BullMQ job is 2^21; beyond it jobs start in their order.
  largest constant integer := 2000000;
  first_of_all integer;
  last_of_organization integer;
begin
  if new.run_at = 'infinity' then
    new.queue_order := 0;
    return new;
  end if;
  select queue_order into first_of_all from job
    where state = 'queued' and waits_for is null and queue_order > 0 and run_at <= now()
    order by queue_order limit 1;
  if new.batch_id is null then
    select queue_order into last_of_organization from job
      where organization_id = new.organization_id and state = 'queued' and waits_for is null and batch_id is null
      order by queue_order desc limit 1;
  else
    select queue_order into last_of_organization from job
      where organization_id = new.organization_id and state = 'queued' and waits_for is null
      order by queue_order desc limit 1;
  end if;
  new.queue_order := least(largest, greatest(coalesce(first_of_all, 1), coalesce(last_of_organization + 1, 1)));
  return new;
end
$$;

create or replace trigger queue_order_of_ready_job before update on job for each row
  when (new.state = 'queued' and new.waits_for is null
    and (old.waits_for is not null or old.state in ('succeeded', 'failed', 'cancelled')
      or (old.run_at = 'infinity') <> (new.run_at = 'infinity')))
  execute function set_queue_order();
