-- The request that caused a job, as in the log of the api: one search finds what a call did in every process.
alter table job add column request_id uuid;
