-- A deleted rule is kept for an hour, so that Undo restores it with its id, its findings and what it has noted: nothing is
-- reported twice, and nothing is lost. Until then changes are noted for it too, and its alerts reference it. A worker of
-- the previous version evaluates such a rule like any other.
alter table alert_rule add deleted_at timestamptz;
-- Housekeeping deletes it for good.
grant delete on alert_rule to riskboard_system;
