-- Uploaded reports. Content is immutable and has its own id. Replacing a file changes the id, so a job that reads
-- the old content cannot mix it with the new.
create table file_content (
  organization_id uuid not null references organization on delete cascade,
  id uuid not null,
  -- False during the upload; the sweeper deletes content that stays incomplete after a crash.
  complete boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (organization_id, id)
);
create index file_content_incomplete on file_content (created_at) where not complete;
call protect_organization_table('file_content');
create policy system on file_content to riskboard_system using (true);
grant select, insert, update, delete on file_content to riskboard_app;
grant select, delete on file_content to riskboard_system;

-- The original bytes in chunks of 1 MiB, each compressed with Zstandard by the api.
create table file_chunk (
  organization_id uuid not null,
  content_id uuid not null,
  n integer not null,
  data bytea not null,
  primary key (organization_id, content_id, n),
  foreign key (organization_id, content_id) references file_content on delete cascade
);
alter table file_chunk alter column data set storage external;
call protect_organization_table('file_chunk');
grant select, insert, delete on file_chunk to riskboard_app;

create table report_file (
  organization_id uuid not null references organization on delete cascade,
  id uuid not null,
  name text not null check (name <> ''),
  -- Names are unique regardless of case (spec 4, Upload result action).
  name_key text not null generated always as (lower(name)) stored,
  content_id uuid not null,
  media text not null check (media in ('json', 'xml')),
  size bigint not null,
  sha256 bytea not null,
  stix_version text,
  wrapper text,
  incomplete boolean not null default false,
  uploaded_at timestamptz not null default now(),
  uploaded_by uuid,
  parse_job_id uuid not null,
  -- Result of the latest parse; null until it has finished.
  object_count integer,
  mapped integer,
  unmapped integer,
  failed integer,
  superseded integer,
  revoked integer,
  deprecated integer,
  vulnerability_records integer,
  threat_records integer,
  objects jsonb,
  -- By type: {total, mapped, unmapped, failed, superseded, reason}.
  by_type jsonb,
  warnings jsonb not null default '[]',
  -- Number of vulnerabilities and threats that this file asserts; maintained by the trigger below.
  vulnerability_count integer not null default 0,
  threat_count integer not null default 0,
  primary key (organization_id, id),
  unique (organization_id, name_key),
  foreign key (organization_id, content_id) references file_content
);
create index report_file_newest on report_file (organization_id, uploaded_at desc, id desc);
create index report_file_name on report_file (organization_id, name, id);
create index report_file_content on report_file (organization_id, content_id);
call protect_organization_table('report_file');
grant select, insert, update, delete on report_file to riskboard_app;

-- Deleting a file deletes its jobs.
alter table job add foreign key (organization_id, file_id) references report_file on delete cascade;

-- The records of a file, merged by key, each with its location in the file. The link to the vulnerability or threat
-- that was extracted from the record is the assertion.
create table report_record (
  organization_id uuid not null,
  file_id uuid not null,
  id uuid not null,
  kind text collate "C" not null check (kind in ('vulnerability', 'threat')),
  key text collate "C" not null,
  ordinal integer not null,
  type text collate "C" not null,
  stix_id text collate "C",
  source_ids text[] not null default '{}',
  stix_version text,
  modified timestamptz,
  state text collate "C" not null check (state in ('active', 'revoked', 'deprecated')),
  place text collate "C" not null,
  name text not null,
  data jsonb not null,
  vulnerability_id uuid,
  threat_id uuid,
  primary key (organization_id, file_id, kind, key),
  foreign key (organization_id, vulnerability_id) references vulnerability on delete set null (vulnerability_id),
  foreign key (organization_id, threat_id) references threat on delete set null (threat_id)
);
create index report_record_vulnerability on report_record (organization_id, vulnerability_id) where vulnerability_id is not null;
create index report_record_threat on report_record (organization_id, threat_id) where threat_id is not null;
call protect_organization_table('report_record');
grant select, insert, update, delete on report_record to riskboard_app;

-- Objects of a file that did not become a record, each with its location and reason.
create table report_object (
  organization_id uuid not null,
  file_id uuid not null,
  ordinal integer not null,
  outcome text collate "C" not null check (outcome in ('unmapped', 'failed', 'superseded')),
  type text collate "C" not null,
  stix_id text collate "C",
  place text collate "C" not null,
  reason text not null,
  primary key (organization_id, file_id, ordinal)
);
call protect_organization_table('report_object');
grant select, insert, delete on report_object to riskboard_app;

-- Relationships between a threat and a vulnerability in a file, by the ids of the report.
create table report_relation (
  organization_id uuid not null,
  file_id uuid not null,
  ordinal integer not null,
  n integer not null,
  type text collate "C" not null,
  source_id text collate "C" not null,
  target_id text collate "C" not null,
  primary key (organization_id, file_id, ordinal, n)
);
call protect_organization_table('report_relation');
grant select, insert, delete on report_relation to riskboard_app;

-- An ingest writes hundreds of thousands of these rows, always under the lock of the file. A foreign key would check
-- the same file for every row (measured: a sixth of the ingest time), so a trigger deletes the rows with their file.
create function drop_file_accounts() returns trigger language plpgsql as $$
begin
  delete from report_record r using gone where r.organization_id = gone.organization_id and r.file_id = gone.id;
  delete from report_object o using gone where o.organization_id = gone.organization_id and o.file_id = gone.id;
  delete from report_relation r using gone where r.organization_id = gone.organization_id and r.file_id = gone.id;
  return null;
end
$$;
create trigger drop_accounts after delete on report_file referencing old table as gone
  for each statement execute function drop_file_accounts();

-- Merges the objects of a file that form one record: each field keeps the first non-empty value.
create function jsonb_keep_first(earlier jsonb, later jsonb) returns jsonb
  language sql immutable parallel safe
  return later || earlier;
create aggregate jsonb_merge_first(jsonb) (sfunc = jsonb_keep_first, stype = jsonb, initcond = '{}');

-- Updates the assertion counts of the files that a statement changed, in one pass per statement.
create function count_assertions() returns trigger language plpgsql as $$
declare
  changed text := case tg_op
    when 'UPDATE' then '(select organization_id, file_id, vulnerability_id, threat_id, 1 as sign from added union all select organization_id, file_id, vulnerability_id, threat_id, -1 from removed)'
    when 'INSERT' then '(select organization_id, file_id, vulnerability_id, threat_id, 1 as sign from added)'
    else '(select organization_id, file_id, vulnerability_id, threat_id, -1 as sign from removed)'
  end;
begin
  execute format($sql$
    update report_file f
    set vulnerability_count = f.vulnerability_count + d.vulnerabilities, threat_count = f.threat_count + d.threats
    from (
      select organization_id, file_id,
        sum(sign) filter (where vulnerability_id is not null) as vulnerabilities,
        sum(sign) filter (where threat_id is not null) as threats
      from %s c
      where vulnerability_id is not null or threat_id is not null
      group by organization_id, file_id
    ) raw
    cross join lateral (select coalesce(raw.vulnerabilities, 0) as vulnerabilities, coalesce(raw.threats, 0) as threats) d
    where f.organization_id = raw.organization_id and f.id = raw.file_id and (d.vulnerabilities <> 0 or d.threats <> 0)
  $sql$, changed);
  return null;
end
$$;
create trigger count_inserted after insert on report_record referencing new table as added
  for each statement execute function count_assertions();
create trigger count_updated after update on report_record referencing new table as added old table as removed
  for each statement execute function count_assertions();
create trigger count_deleted after delete on report_record referencing old table as removed
  for each statement execute function count_assertions();
