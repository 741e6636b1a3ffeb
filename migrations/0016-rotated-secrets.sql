-- Every refresh secret that a session has rotated. One of the last 10 seconds is accepted, because several tabs refresh at
-- once; an older one means that two parties have it, and ends the session; an unknown one ends nothing.
create table rotated_secret (
  session_id uuid not null references session on delete cascade,
  hash bytea not null,
  rotated_at timestamptz not null default now(),
  primary key (session_id, hash)
);
create index rotated_secret_age on rotated_secret (rotated_at);
grant select, insert, update, delete on rotated_secret to riskboard_system;
-- The owner of the table is in no organization and would see no session.
set local role riskboard_system;
insert into rotated_secret (session_id, hash, rotated_at)
  select id, previous_hash, rotated_at from session where previous_hash is not null;
reset role;
alter table session drop column previous_hash, drop column rotated_at;
