-- The list of vulnerabilities with the highest CWSS scores first, rows without a score last.
create index vulnerability_cwss_descending on vulnerability (organization_id, cwss_score desc nulls last, id desc);
