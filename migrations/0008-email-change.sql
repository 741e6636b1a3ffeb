-- A person's own e-mail address changes by a link that is mailed to the new one. Whoever asks again forgets what they
-- asked for before.
create table email_change (
  account_id uuid primary key references account on delete cascade,
  email citext not null,
  -- Null until the mail is written; the token itself is in the mail and nowhere else.
  token_hash bytea unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
grant select, insert, update, delete on email_change to riskboard_system;

alter table outgoing_mail
  drop constraint outgoing_mail_kind_check,
  add constraint outgoing_mail_kind_check
    check (kind in ('password-reset', 'invitation', 'account-changed', 'email-change'));
