-- Vulnerabilities and threats: created by a user, or extracted from reports and then identified by `key` (reference:
-- STIX mapping, identity keys). Keys are compared byte by byte, like all identifiers. An extraction does not overwrite
-- edited_fields, which a user has changed.
create table vulnerability (
  organization_id uuid not null references organization on delete cascade,
  id uuid not null,
  key text collate "C",
  name text not null check (name <> ''),
  description text not null default '',
  severity numeric check (severity between 0 and 10),
  severity_description text not null default '',
  status text not null default 'open' check (status in ('open', 'mitigated', 'fixed', 'accepted')),
  cve_id text not null default '',
  cwe text[] not null default '{}',
  cvss_score numeric check (cvss_score between 0 and 10),
  cvss_vector text not null default '',
  cvss_version text not null default '',
  cwss_score numeric check (cwss_score between 0 and 100),
  category_id integer,
  exploitability numeric check (exploitability between 1 and 10),
  exploitability_description text not null default '',
  impact numeric check (impact between 0 and 10),
  remediation_level text not null default '',
  remediation_steps text not null default '',
  solution text not null default '',
  mitigation text not null default '',
  reference text not null default '',
  discovery_date timestamptz,
  fix_date timestamptz,
  applied_vignette text not null default '',
  -- Report data without a column: references, affected products, all CVSS claims, TLP.
  details jsonb not null default '{}',
  -- Name of the newest file that asserts it; empty when it was created manually.
  source_file text not null default '',
  source_modified timestamptz,
  edited_fields text[] not null default '{}',
  withdrawn text check (withdrawn in ('revoked', 'deprecated')),
  is_active boolean not null default true,
  version integer not null default 1,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, key)
);
create index vulnerability_newest on vulnerability (organization_id, created_at desc, id desc);
create index vulnerability_name on vulnerability (organization_id, name, id);
create index vulnerability_cvss on vulnerability (organization_id, cvss_score, id);
create index vulnerability_source on vulnerability (organization_id, source_file) where source_file <> '';
create index vulnerability_search on vulnerability using gin (name gin_trgm_ops, cve_id gin_trgm_ops);
call protect_organization_table('vulnerability');
grant select, insert, update, delete on vulnerability to riskboard_app;

create table threat (
  organization_id uuid not null references organization on delete cascade,
  id uuid not null,
  key text collate "C",
  name text not null check (name <> ''),
  description text not null default '',
  -- CAPEC or ATT&CK identifier, for display only; `key` is the identity.
  threat_id text not null default '',
  kind text collate "C" not null default '',
  threat_type_id integer check (threat_type_id between 1 and 6),
  source text not null default '',
  threat_category text not null default '',
  motivation integer check (motivation between 1 and 3),
  motivation_description text not null default '',
  capability integer check (capability between 1 and 3),
  capability_description text not null default '',
  likelihood integer check (likelihood between 1 and 5),
  likelihood_description text not null default '',
  impact integer check (impact between 1 and 5),
  impact_description text not null default '',
  risk_level numeric check (risk_level between 0 and 100),
  -- Source of risk_level: CAPEC, derived (4 x likelihood x impact), or empty when a user entered it.
  risk_level_source text not null default '',
  mitigation_strategy text not null default '',
  reference text not null default '',
  details jsonb not null default '{}',
  source_file text not null default '',
  source_modified timestamptz,
  edited_fields text[] not null default '{}',
  withdrawn text check (withdrawn in ('revoked', 'deprecated')),
  is_active boolean not null default true,
  version integer not null default 1,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, key)
);
create index threat_newest on threat (organization_id, created_at desc, id desc);
create index threat_name on threat (organization_id, name, id);
create index threat_source on threat (organization_id, source_file) where source_file <> '';
create index threat_search on threat using gin (name gin_trgm_ops, threat_id gin_trgm_ops);
call protect_organization_table('threat');
grant select, insert, update, delete on threat to riskboard_app;
