-- Scoring vignettes with their versions, CWSS scores of vulnerabilities with every input, and the factors that analysts
-- set.

create table vignette (
  organization_id uuid not null references organization on delete cascade,
  id uuid not null,
  name text not null check (name <> ''),
  -- Vignettes are created or replaced by name, in any case.
  name_key text not null generated always as (lower(name)) stored,
  scorecard_name text not null,
  -- Who wrote it, as the vignette states; 'Riskboard' for the starter set.
  origin text not null default '',
  -- Empty for a vignette that was written in the editor.
  original_filename text not null default '',
  -- The newest version; it is also the ETag.
  version integer not null default 1 check (version > 0),
  -- Rated cells of the scorecard, of 32.
  rated_cells integer not null check (rated_cells between 1 and 32),
  created_by uuid,
  updated_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, name_key)
);
call protect_organization_table('vignette');
grant select, insert, update, delete on vignette to riskboard_app;

-- A version never changes, so that a score which names it can be explained.
create table vignette_version (
  organization_id uuid not null,
  vignette_id uuid not null,
  version integer not null check (version > 0),
  content jsonb not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (organization_id, vignette_id, version),
  foreign key (organization_id, vignette_id) references vignette on delete cascade
);
call protect_organization_table('vignette_version');
grant select, insert, delete on vignette_version to riskboard_app;

alter table vulnerability
  -- Number of its CWSS scores; the newest one has this version.
  add cwss_version integer not null default 0 check (cwss_version >= 0),
  -- The vignette of the newest score.
  add cwss_vignette_id uuid,
  -- Grows whenever something changes that a score is calculated from, so that a calculation notices a change during
  -- its run.
  add cwss_inputs integer not null default 0,
  -- Why the newest score no longer fits: see cwssStaleReasons in packages/contract. Empty: it is current.
  add cwss_stale text[] not null default '{}',
  -- Codes of the factors that an analyst set.
  add cwss_overrides text[] not null default '{}';
alter table vulnerability
  add cwss_state text generated always as
    (case when cwss_score is null then null when cwss_stale = '{}' then 'current' else 'stale' end) stored;
create index vulnerability_cwss_stale on vulnerability (organization_id, id) where cwss_state = 'stale';
create index vulnerability_cwss_vignette on vulnerability (organization_id, cwss_vignette_id)
  where cwss_vignette_id is not null;

-- Every score with its inputs. There is no foreign key to the vulnerability: one in the trash keeps its scores.
create table cwss_score (
  organization_id uuid not null references organization on delete cascade,
  vulnerability_id uuid not null,
  -- 1 for the first score of the vulnerability, then one more for each.
  version integer not null check (version > 0),
  at timestamptz not null default now(),
  -- Who requested it; null when it was recalculated automatically.
  actor uuid,
  job_id uuid,
  cause text not null check (cause in ('calculated', 'factors', 'automatic', 'example')),
  score numeric(4, 1) not null check (score between 0 and 100),
  -- The score before rounding.
  raw numeric not null,
  vector text not null,
  vignette_id uuid not null,
  vignette_name text not null,
  vignette_version integer not null,
  catalogue_version text not null,
  formula_version text not null,
  -- What the factors were derived from: CwssInputs in packages/domain.
  inputs jsonb not null,
  primary key (organization_id, vulnerability_id, version)
);
call protect_organization_table('cwss_score');
grant select, insert, delete on cwss_score to riskboard_app;
-- Housekeeping deletes the scores of vulnerabilities that leave the trash.
create policy system on cwss_score to riskboard_system using (true);
grant select, delete on cwss_score to riskboard_system;

-- Factors that an analyst set for a vulnerability, with the reason. A vulnerability in the trash keeps them.
create table cwss_override (
  organization_id uuid not null references organization on delete cascade,
  vulnerability_id uuid not null,
  factor text not null,
  code text not null,
  -- 0 to 1 with at most four decimals; other than the weight of the code only for the code Q.
  weight numeric(5, 4) not null check (weight between 0 and 1),
  reason text not null check (reason <> ''),
  set_by uuid,
  set_at timestamptz not null default now(),
  primary key (organization_id, vulnerability_id, factor)
);
call protect_organization_table('cwss_override');
grant select, insert, update, delete on cwss_override to riskboard_app;
create policy system on cwss_override to riskboard_system using (true);
grant select, delete on cwss_override to riskboard_system;

-- Stale scores are recalculated by a job when the organization has this switched on.
alter table organization add auto_recalculate_cwss boolean not null default false;
