-- Default sorts of the lists: the most severe vulnerabilities and the most risky threats first, unrated rows last.
create index vulnerability_severity on vulnerability (organization_id, severity desc nulls last, id desc);
create index vulnerability_cvss_descending on vulnerability (organization_id, cvss_score desc nulls last, id desc);
create index threat_risk on threat (organization_id, risk_level desc nulls last, id desc);
