export const nouns = ['vulnerabilities', 'threats', 'assets'] as const;
export type Noun = (typeof nouns)[number];

/** A list request, and plain SQL for the same result. */
export interface ListCase {
  name: string;
  /** Path and query of the request. */
  query: string;
  where?: string;
  order?: string;
  page?: number;
}

const newest = 'created_at desc, id desc';

const sorts = (columns: Record<string, string>): ListCase[] =>
  Object.entries(columns).flatMap(([field, column]) => [
    { name: `sort ${field}`, query: `sort=${field}`, order: `${column} nulls last, id` },
    { name: `sort -${field}`, query: `sort=-${field}`, order: `${column} desc nulls last, id desc` },
  ]);

/** Plain SQL for assets with the names of their projects. */
const assetRows = `(
  select a.*, p.name as project_name
  from asset a join project p on p.organization_id = a.organization_id and p.id = a.project_id
) rows`;

const like = (column: string, text: string): string =>
  `(name ilike '%${text}%' or ${column} ilike '%${text}%' or source_file in (select name from report_file where name ilike '%${text}%'))`;

const common: ListCase[] = [
  { name: 'first page', query: '', order: newest },
  { name: 'page 1,000', query: 'page=1000', order: newest, page: 1000 },
  { name: 'with a file', query: 'imported=true', where: `source_file <> ''` },
  { name: 'one file', query: 'sourceFile=report+7.json', where: `source_file = 'report 7.json'` },
  { name: 'without a file', query: 'sourceFile=N/A', where: `source_file = ''` },
  {
    name: 'range of times',
    query: 'createdAtMin=2026-01-01&createdAtMax=2026-06-30',
    where: `created_at >= '2026-01-01' and created_at < '2026-07-01'`,
  },
];

const search = (id: string, rare: string): ListCase[] => [
  { name: 'search, rare word', query: `search=${rare}`, where: like(id, rare) },
  { name: 'search, every sixth row', query: 'search=lighthouse', where: like(id, 'lighthouse') },
  { name: 'search, name of a file', query: 'search=report+11', where: like(id, 'report 11') },
  { name: 'search, nothing', query: 'search=xyzzyx', where: like(id, 'xyzzyx') },
];

export const listCases: Record<Noun, ListCase[]> = {
  vulnerabilities: [
    ...common,
    { name: 'one status', query: 'status=open', where: `status = 'open'` },
    {
      name: 'new ones',
      query: 'status=new',
      where: `status = 'open' and created_at >= (date_trunc('day', now() at time zone 'UTC') - interval '30 days') at time zone 'UTC'`,
    },
    { name: 'two bands', query: 'severity=critical&severity=low', where: '(severity >= 9 or severity < 4)' },
    {
      name: 'a band or no score',
      query: 'severity=high&severity=N/A',
      where: '(severity >= 7 and severity < 9 or severity is null)',
    },
    { name: 'one weakness', query: 'cwe=CWE-79', where: `cwe && array['CWE-79']` },
    {
      name: 'range of numbers',
      query: 'cvssScoreMin=7&cvssScoreMax=8.5',
      where: 'cvss_score between 7 and 8.5',
    },
    {
      name: 'four filters',
      query: 'status=open&severity=critical&categoryId=4&cvssVersion=3.1',
      where: `status = 'open' and severity >= 9 and category_id = 4 and cvss_version = '3.1'`,
    },
    ...search('cve_id', 'c4ca4238'),
    ...sorts({
      sourceFile: `nullif(source_file, '')`,
      name: 'name',
      cveId: `nullif(cve_id, '')`,
      cwe: `nullif(cwe, '{}')`,
      severity: 'severity',
      status: 'status',
      categoryId: 'category_id',
      cvssScore: 'cvss_score',
      cvssVersion: `nullif(cvss_version, '')`,
      cwssScore: 'cwss_score',
      exploitability: 'exploitability',
      impact: 'impact',
      appliedVignette: `nullif(applied_vignette, '')`,
      withdrawn: 'withdrawn',
      discoveryDate: 'discovery_date',
      fixDate: 'fix_date',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    }),
  ],
  threats: [
    ...common,
    { name: 'one kind', query: 'kind=malware', where: `kind = 'malware'` },
    { name: 'inactive ones', query: 'isActive=false', where: 'not is_active' },
    { name: 'high risk', query: 'risk=high', where: 'risk_level > 60' },
    {
      name: 'range of numbers',
      query: 'riskLevelMin=20&riskLevelMax=40',
      where: 'risk_level between 20 and 40',
    },
    ...search('threat_id', 'c4ca4238'),
    ...sorts({
      sourceFile: `nullif(source_file, '')`,
      name: 'name',
      threatID: `nullif(threat_id, '')`,
      kind: `nullif(kind, '')`,
      threatTypeId: 'threat_type_id',
      threatCategory: `nullif(threat_category, '')`,
      motivation: 'motivation',
      capability: 'capability',
      likelihood: 'likelihood',
      impact: 'impact',
      riskLevel: 'risk_level',
      isActive: 'is_active',
      withdrawn: 'withdrawn',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    }),
  ],
  assets: [
    { name: 'first page', query: '', order: newest },
    { name: 'page 1,000', query: 'page=1000', order: newest, page: 1000 },
    { name: 'at risk', query: 'status=at-risk', where: `(health = 'Critical' or risk_score >= 7)` },
    { name: 'one type', query: 'assetTypeId=2', where: 'asset_type_id = 2' },
    { name: 'without a criticality', query: 'criticality=N/A', where: 'criticality is null' },
    { name: 'range of numbers', query: 'riskScoreMin=3&riskScoreMax=5', where: 'risk_score between 3 and 5' },
    ...['lighthouse', 'c4ca4238'].map((text) => ({
      name: `search, ${text}`,
      query: `search=${text}`,
      where: `(name ilike '%${text}%' or description ilike '%${text}%')`,
    })),
    ...sorts({
      name: 'name',
      assetTypeId: 'asset_type_id',
      criticality: 'criticality',
      riskScore: 'risk_score',
      health: 'health',
      threatCount: 'threat_count',
      replacementCost: 'replacement_cost',
      createdAt: 'created_at',
    }),
  ],
};

/** The table or view of each list. */
export const listTables: Record<Noun, string> = {
  vulnerabilities: 'vulnerability',
  threats: 'threat',
  assets: assetRows,
};

/** Columns that a row of each list shows. */
export const shownColumns = {
  vulnerabilities: `id, name, description, severity, status, cve_id, cwe, cvss_score, cvss_vector, cvss_version, cwss_score,
    category_id, exploitability, impact, discovery_date, fix_date, source_file, applied_vignette, withdrawn, is_active,
    created_at, updated_at`,
  threats: `id, name, description, threat_id, kind, threat_type_id, threat_category, motivation, capability, likelihood,
    impact, risk_level, risk_level_source, is_active, source_file, withdrawn, created_at, updated_at`,
  assets: `id, name, description, project_id, project_name, asset_type_id, criticality, confidentiality_level,
    integrity_level, availability_level, replacement_cost, recovery_cost, start_date, threat_count, vulnerability_count,
    risk_score,
    health, is_active, created_at, updated_at`,
} as const;

/** A facet request: a field's values with their counts, and the SQL for it. */
export const facetCases: Record<Noun, [field: string, sql: string][]> = {
  vulnerabilities: [
    ['status', 'select status, count(*) from vulnerability where $ group by 1'],
    [
      'sourceFile',
      'select source_file, count(*) from vulnerability where $ group by 1 order by 2 desc limit 201',
    ],
    ['cveId', 'select cve_id, count(*) from vulnerability where $ group by 1 order by 2 desc limit 201'],
    [
      'cwe',
      'select value, count(*) from vulnerability left join lateral unnest(cwe) item (value) on true where $ group by 1 order by 2 desc limit 201',
    ],
    [
      'cvssScore',
      'select min(cvss_score), max(cvss_score), count(*) filter (where cvss_score is null) from vulnerability where $',
    ],
    [
      'createdAt',
      'select min(created_at), max(created_at), count(*) filter (where created_at is null) from vulnerability where $',
    ],
  ],
  threats: [
    ['kind', 'select kind, count(*) from threat where $ group by 1'],
    ['threatID', 'select threat_id, count(*) from threat where $ group by 1 order by 2 desc limit 201'],
    [
      'riskLevel',
      'select min(risk_level), max(risk_level), count(*) filter (where risk_level is null) from threat where $',
    ],
  ],
  assets: [
    ['assetTypeId', 'select asset_type_id, count(*) from asset where $ group by 1'],
    ['health', `select health, count(*) from ${assetRows} where $ group by 1`],
    ['riskScore', `select min(risk_score), max(risk_score), count(*) from ${assetRows} where $`],
  ],
};
