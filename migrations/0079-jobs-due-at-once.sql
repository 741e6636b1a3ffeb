-- Previous version: keeps working; the oldest job in its metrics has an infinite age while a new job waits.
--
-- A new job or mail is due at every time. With the time of its request as the one at which it is due, it waited after the clock of
-- the database had been set back, until that time had come again. A mail keeps its order by its id.
alter table job alter run_at set default '-infinity';
alter table outgoing_mail alter run_at set default '-infinity';
