-- The number of failed jobs, which the dashboard shows: few of the jobs of an organization.
create index concurrently job_failed on job (organization_id) where state = 'failed';
