-- The position of an object in a report file is its location, in the api too; `place` was its name until now. A worker of
-- the version before that writes these columns meanwhile fails and its job is tried again.
alter table report_record rename column place to location;
alter table report_object rename column place to location;

-- Stored JSON with that position: warnings of a parse, objects that an extraction did not take. The policies of the
-- tables hold for their owner too, who is in no organization.
alter table report_file no force row level security;
update report_file set warnings = (
  select jsonb_agg(
    case when item ? 'place' then item - 'place' || jsonb_build_object('location', item -> 'place') else item end order by n)
  from jsonb_array_elements(warnings) with ordinality w (item, n))
where warnings @? '$[*].place';
alter table report_file force row level security;

alter table job no force row level security;
update job set result = jsonb_set(result, '{issues}', (
  select jsonb_agg(item - 'place' || jsonb_build_object('location', item -> 'place') order by n)
  from jsonb_array_elements(result -> 'issues') with ordinality i (item, n)))
where result @? '$.issues[*].place';
alter table job force row level security;
