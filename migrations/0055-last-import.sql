-- When the organization last imported something, which outlives the job: a job ends with its file, and an import of a CSV
-- file after 30 days. A rule that reports silence counts from here.
alter table organization add last_import_at timestamptz;

-- To the minute: imports of one organization that end at once do not wait for each other.
create function note_last_import() returns trigger language plpgsql as $$
begin
  update organization set last_import_at = new.finished_at
    where organization_id = new.organization_id
      and (last_import_at is null or last_import_at not between new.finished_at - interval '1 minute' and new.finished_at);
  return null;
end
$$;
create trigger note_last_import after update on job for each row
  when (new.state = 'succeeded' and old.state <> 'succeeded' and new.kind in ('stix.parse', 'stix.extract', 'csv.import'))
  execute function note_last_import();

-- Existing rows. Row-level security holds for the owner too, who is in no organization.
alter table organization no force row level security;
alter table job no force row level security;
update organization o set last_import_at = last.at
from (
  select organization_id, max(finished_at) as at from job
  where state = 'succeeded' and kind in ('stix.parse', 'stix.extract', 'csv.import')
  group by organization_id
) last
where o.organization_id = last.organization_id;
alter table job force row level security;
alter table organization force row level security;
