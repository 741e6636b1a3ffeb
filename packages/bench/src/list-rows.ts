import type { Client } from 'pg';

const files = 20;

/** Rows that one statement inserts. */
interface Part {
  /** Of the whole list. */
  rows: number;
  /** Numbers of the rows, counted from the newest. */
  first: number;
  last: number;
}

/** Rows in the order of their creation, as imports write them. */
const numbers = ({ first, last }: Part): string =>
  `(select n from generate_series(${last}, ${first}, -1) n) numbered`;

/** Lists of every length span ten years, so that a range of times keeps the same share of each. */
const created = ({ rows }: Part): string =>
  `now() - n * interval '${Math.round((3650 * 86_400) / rows)} seconds'`;

/** Each report is a run of rows, as its import writes it. */
const report = ({ rows }: Part): string => `'report ' || n * ${files} / ${rows + 1} || '.json'`;

/** The result of years of imports: most rows open and scored with few weaknesses, some without any value. */
const vulnerabilities = (part: Part) => `
  insert into vulnerability (organization_id, id, key, name, description, severity, status, cve_id, cwe, category_id,
    cvss_score, cvss_version, cwss_score, exploitability, impact, applied_vignette, discovery_date, fix_date, details,
    source_file, withdrawn, created_at, updated_at)
  select $1, uuidv7(), 'cve:' || n,
    (array['Buffer overflow', 'SQL injection', 'Cross-site scripting', 'Use after free', 'Path traversal'])[1 + n % 5]
      || ' in ' || (array['Harbour', 'Lighthouse', 'Quay', 'Anchor', 'Compass', 'Beacon'])[1 + n % 6] || ' ' || md5(n::text),
    repeat('The component does not check what it is given. ', 1 + n % 12),
    case when n % 9 > 0 then round((n * 7 % 101) / 10.0, 1) end,
    (array['open', 'open', 'open', 'mitigated', 'fixed', 'accepted'])[1 + n % 6],
    case when n % 10 > 0 then 'CVE-' || 2005 + n % 20 || '-' || n else '' end,
    case when n % 8 > 0 then array['CWE-' || 20 + n % 120] else '{}' end,
    case when n % 3 = 0 then 1 + n % 6 end,
    case when n % 9 > 0 then round((n * 7 % 101) / 10.0, 1) end,
    case when n % 9 > 0 then (array['3.1', '3.1', '2.0', '4.0'])[1 + n % 4] else '' end,
    case when n % 50 = 0 then n % 100 end, case when n % 20 = 0 then 1 + n % 10 end, case when n % 20 = 0 then n % 11 end,
    case when n % 50 = 0 then 'Retail' else '' end,
    case when n % 4 > 0 then now() - n % 3000 * interval '1 day' end, case when n % 6 = 4 then now() end,
    jsonb_build_object('references', jsonb_build_array(jsonb_build_object('url', 'https://vendor.example/' || n, 'note', repeat('x', 400)))),
    case when n % 25 > 0 then ${report(part)} else '' end,
    case when n % 200 = 0 then 'revoked' end,
    ${created(part)}, ${created(part)} + n % 10 * interval '1 hour'
  from ${numbers(part)}`;

const threats = (part: Part) => `
  insert into threat (organization_id, id, key, name, description, threat_id, kind, threat_type_id, threat_category,
    motivation, capability, likelihood, impact, risk_level, risk_level_source, details, source_file, withdrawn, is_active,
    created_at, updated_at)
  select $1, uuidv7(), 't:' || n,
    (array['Spear phishing', 'Ransomware', 'Data theft', 'Watering hole'])[1 + n % 4] || ' against '
      || (array['Harbour', 'Lighthouse', 'Quay', 'Anchor', 'Compass', 'Beacon'])[1 + n % 6] || ' ' || md5(n::text),
    repeat('Seen in several campaigns of the last years. ', 1 + n % 12),
    case when n % 3 > 0 then 'T' || 1000 + n % 700 else '' end,
    (array['malware', 'attack-pattern', 'intrusion-set', 'tool', 'campaign'])[1 + n % 5],
    case when n % 4 > 0 then 1 + n % 6 end, case when n % 6 = 0 then 'Crime' else '' end,
    case when n % 5 = 0 then 1 + n % 3 end, case when n % 5 = 0 then 1 + n % 3 end,
    case when n % 4 = 0 then 1 + n % 5 end, case when n % 4 = 0 then 1 + n / 5 % 5 end,
    case when n % 4 = 0 then 4 * (1 + n % 5) * (1 + n / 5 % 5) end, case when n % 4 = 0 then 'derived' else '' end,
    jsonb_build_object('labels', jsonb_build_array('apt', 'crime'), 'note', repeat('x', 400)),
    case when n % 25 > 0 then ${report(part)} else '' end,
    case when n % 200 = 0 then 'revoked' end, n % 7 > 0,
    ${created(part)}, ${created(part)} + n % 10 * interval '1 hour'
  from ${numbers(part)}`;

/** A hundred projects. */
const projects = `
  insert into project (organization_id, id, name, start_date)
  select $1, gen_random_uuid(), 'Project ' || n, now() from generate_series(1, 100) n`;

const assets = (part: Part) => `
  with projects as (select id, row_number() over (order by id) as position from project where organization_id = $1)
  insert into asset (organization_id, id, project_id, name, description, asset_type_id, criticality, confidentiality_level,
    integrity_level, availability_level, replacement_cost, created_at, updated_at)
  select $1, uuidv7(), p.id,
    (array['Harbour', 'Lighthouse', 'Quay', 'Anchor', 'Compass', 'Beacon'])[1 + n % 6] || ' server ' || md5(n::text),
    repeat('It is in the hall at the pier. ', 1 + n % 6), 1 + n % 6,
    case when n % 4 > 0 then 1 + n % 5 end, case when n % 5 > 0 then 1 + n % 5 end,
    case when n % 5 > 0 then 1 + n % 4 end, case when n % 7 > 0 then 1 + n % 4 end,
    case when n % 3 = 0 then 5000 end, ${created(part)}, ${created(part)} + n % 10 * interval '1 hour'
  from ${numbers(part)}
  join projects p on p.position = 1 + n % 100 order by n desc`;

/** Relates one of ten records to an asset. Only half of the assets have relations. */
const relations = (noun: 'threat' | 'vulnerability', assetRows: number) => `
  with records as (select id, row_number() over (order by id) as n from ${noun} where organization_id = $1),
    owned as (select id, row_number() over (order by id) as n from asset where organization_id = $1)
  insert into ${noun}_asset (organization_id, ${noun}_id, asset_id)
  select $1, records.id, owned.id from records join owned on owned.n = 1 + records.n * 7919 % (${assetRows} / 2) where records.n % 10 = 0`;

const contents = `insert into file_content (organization_id, id, complete) values ($1, $1, true)`;
const reports = `
  insert into report_file (organization_id, id, name, content_id, media, size, sha256, parse_job_id)
  select $1, gen_random_uuid(), 'report ' || n || '.json', $1, 'json', 1, '', gen_random_uuid()
  from generate_series(0, ${files - 1}) n`;

const rowsAtOnce = 50_000;
/** Assets beside vulnerabilities that are filled alone. */
const fewAssets = 10_000;

async function insertAll(
  admin: Client,
  organizationId: string,
  { rows, statement }: { rows: number; statement: (part: Part) => string },
): Promise<void> {
  for (let last = rows; last > 0; last -= rowsAtOnce)
    await admin.query(statement({ rows, first: Math.max(1, last - rowsAtOnce + 1), last }), [organizationId]);
}

/**
 * Fills an organization with this number of rows in each list; one of ten records is related to an asset. For
 * vulnerabilities alone, the assets are a few thousand.
 */
export async function fillOrganization(
  admin: Client,
  organizationId: string,
  { rows, only }: { rows: number; only?: 'vulnerabilities' | undefined },
): Promise<void> {
  const assetRows = only === undefined ? rows : Math.min(rows, fewAssets);
  for (const statement of [contents, reports, projects]) await admin.query(statement, [organizationId]);
  await insertAll(admin, organizationId, { rows, statement: vulnerabilities });
  if (only === undefined) await insertAll(admin, organizationId, { rows, statement: threats });
  await insertAll(admin, organizationId, { rows: assetRows, statement: assets });
  for (const noun of ['threat', 'vulnerability'] as const)
    await admin.query(relations(noun, assetRows), [organizationId]);
}

/** What triggers count from the relations of a record to at most one asset. The housekeeping would repair other counts. */
const assetCounts = `
  update vulnerability v set asset_count = 1, critical_asset_count = case when a.criticality >= 4 then 1 else 0 end
  from vulnerability_asset related
  join asset a on a.organization_id = related.organization_id and a.id = related.asset_id
  where related.organization_id = $1 and v.organization_id = $1 and v.id = related.vulnerability_id`;

/**
 * Fills the list of vulnerabilities alone, one of ten related to one of a few thousand assets, without triggers. Indexes are
 * created again afterwards: adding a million rows to all of them takes several times as long.
 */
export async function fillVulnerabilities(
  admin: Client,
  organizationId: string,
  rows: number,
): Promise<void> {
  const assetRows = Math.min(rows, fewAssets);
  const { rows: indexes } = await admin.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = 'vulnerability'::regclass and not indisunique`,
  );
  await admin.query(
    `set session_replication_role = replica; set maintenance_work_mem = '256MB';
     drop index ${indexes.map(({ name }) => name).join(', ')}`,
  );
  for (const statement of [contents, reports, projects]) await admin.query(statement, [organizationId]);
  await insertAll(admin, organizationId, { rows, statement: vulnerabilities });
  await insertAll(admin, organizationId, { rows: assetRows, statement: assets });
  await admin.query(relations('vulnerability', assetRows), [organizationId]);
  await admin.query(assetCounts, [organizationId]);
  for (const { definition } of indexes) await admin.query(definition);
  await admin.query('set session_replication_role = origin');
}

/** Runs the work without the indexes of the lists, and builds them again: a million rows are then inserted several times faster. */
export async function withoutIndexes<T>(admin: Client, work: () => Promise<T>): Promise<T> {
  const { rows: indexes } = await admin.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename in ('vulnerability', 'threat', 'asset') and indexdef not like 'CREATE UNIQUE%'`,
  );
  for (const { name } of indexes) await admin.query(`drop index ${name}`);
  const result = await work();
  await admin.query(`set maintenance_work_mem = '512MB'`);
  for (const { definition } of indexes) await admin.query(definition);
  return result;
}

/** Fills the organization and a second one. */
export async function fillLists(admin: Client, rows: number): Promise<string> {
  const { rows: known } = await admin.query<{ id: string }>('select organization_id as id from organization');
  const own = known[0]?.id ?? '';
  const { rows: made } = await admin.query<{ id: string }>(
    'insert into organization (organization_id) values (gen_random_uuid()) returning organization_id as id',
  );
  for (const id of [made[0]?.id ?? '', own]) await fillOrganization(admin, id, { rows });
  await admin.query('vacuum analyze');
  return own;
}
