-- Previous version: keeps working, because it never sets app.related_assets_counted.
--
-- Where app.related_assets_counted is on, the vulnerabilities of new relations have the counts of their assets already: an import
-- creates them with these counts instead of writing each row and its index entries a second time.
create or replace trigger mark_cwss_of_related after insert on vulnerability_asset referencing new table as changed
  for each statement when (
    current_setting('app.relations_counted', true) is distinct from 'on'
    and current_setting('app.related_assets_counted', true) is distinct from 'on'
  )
  execute function mark_cwss_of_related();
