-- A record is superseded when newer versions of its objects, in any reports, are other records: a CVE was assigned or corrected
-- (decision 0094). No row has another value than before: they need not be checked.
alter table vulnerability drop constraint vulnerability_withdrawn_check,
  add constraint vulnerability_withdrawn_check check (withdrawn in ('revoked', 'deprecated', 'superseded')) not valid;
alter table threat drop constraint threat_withdrawn_check,
  add constraint threat_withdrawn_check check (withdrawn in ('revoked', 'deprecated', 'superseded')) not valid;
