-- Counts the open vulnerabilities of a category, and the new ones among them, without reading other rows.
create index vulnerability_open_category on vulnerability (organization_id, category_id, created_at)
  where status = 'open';
