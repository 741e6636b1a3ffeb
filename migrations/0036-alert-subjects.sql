-- An alert of more than ten findings links to the list of its subjects, so that far more of them are noted: at most this
-- many of a rule for one statement; the others are counted.
create or replace function alert_subjects() returns integer language sql immutable parallel safe return 10000;
