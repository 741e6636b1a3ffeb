-- The order in which waiting jobs start: every organization gets a slot of a worker in rotation, however many jobs
-- another one has. The n-th waiting job of an organization starts with the n-th jobs of the others (start-time fair
-- queueing; Goyal, Vin and Cheng, 1996). The queue starts jobs with a lower number first, equal ones in their order.
alter table job add column queue_order integer not null default 1;
create index job_queue_order on job (queue_order) where state = 'queued' and waits_for is null;
create index job_queue_order_of_organization on job (organization_id, queue_order)
  where state = 'queued' and waits_for is null;

-- Sets the order of a job that may start from now on: after the last waiting job of its organization, and never before
-- the first waiting job of all. A concurrent transaction may choose the same number, which does no harm.
create function set_queue_order() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  -- The largest priority of a BullMQ job is 2^21; beyond it jobs start in their order.
  largest constant integer := 2000000;
  first_of_all integer;
  last_of_organization integer;
begin
  select queue_order into first_of_all from job
    where state = 'queued' and waits_for is null and run_at <= now()
    order by queue_order limit 1;
  select queue_order into last_of_organization from job
    where organization_id = new.organization_id and state = 'queued' and waits_for is null
    order by queue_order desc limit 1;
  new.queue_order := least(largest, greatest(coalesce(first_of_all, 1), coalesce(last_of_organization + 1, 1)));
  return new;
end
$$;

create trigger queue_order_of_new_job before insert on job for each row
  when (new.state = 'queued' and new.waits_for is null)
  execute function set_queue_order();
-- A run that failed and is tried again keeps its order; a job that is requested again, or no longer waits for another
-- one, gets a new order.
create trigger queue_order_of_ready_job before update on job for each row
  when (new.state = 'queued' and new.waits_for is null
    and (old.waits_for is not null or old.state in ('succeeded', 'failed', 'cancelled')))
  execute function set_queue_order();

-- The system role sees the waiting jobs of all organizations; the caller learns only the number.
grant create on schema public to riskboard_system;
alter function set_queue_order() owner to riskboard_system;
revoke execute on function set_queue_order() from public;
revoke create on schema public from riskboard_system;
