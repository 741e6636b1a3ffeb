-- Access that ends for good: tokens made with the password, a limit on second-factor codes, confirmed addresses.

-- A token is created under the lock of its account.
grant insert on api_token to riskboard_system;

-- Wrong codes of an authenticator app after a right password. A code is counted before it is checked, and the count is
-- removed when the code is right, so parallel attempts in several processes cannot exceed the limit.
create table second_factor_failure (
  id uuid primary key,
  account_id uuid not null references account on delete cascade,
  at timestamptz not null default now()
);
create index second_factor_failure_account on second_factor_failure (account_id, at);
grant select, insert, delete on second_factor_failure to riskboard_system;

-- When a mailed link proved that the address belongs to the person; null until then. Accounts from before this
-- migration count as confirmed, because nothing recorded who had opened a link. The default fills existing rows, which
-- an update under row-level security would not see.
alter table account add email_verified_at timestamptz default now();
alter table account alter column email_verified_at drop default;

-- Joined by an invitation to the account's address. Such a membership ends when another person proves to own the address.
alter table membership add invited boolean not null default false;
