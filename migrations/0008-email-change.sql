-- A user changes their e-mail address with a link that is mailed to the new address. A new request replaces the
-- pending one.
create table email_change (
  account_id uuid primary key references account on delete cascade,
  email citext not null,
  -- Null until the mail is written; the token itself is only in the mail.
  token_hash bytea unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
grant select, insert, update, delete on email_change to riskboard_system;

alter table outgoing_mail
  drop constraint outgoing_mail_kind_check,
  add constraint outgoing_mail_kind_check
    check (kind in ('password-reset', 'invitation', 'account-changed', 'email-change'));
