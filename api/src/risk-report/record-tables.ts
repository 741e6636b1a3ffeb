import { cwssStateLabels, mostReportRows } from '@riskboard/contract';
import {
  assetSource,
  type OrganizationTransaction,
  threatSource,
  vulnerabilitySource,
  whereOf,
} from '@riskboard/db';
import { formatCount, plural } from '@riskboard/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Cell, ReportTable } from './report.ts';

type Row = Readonly<Record<string, Cell>>;

interface Selection {
  select: RawBuilder<unknown>;
  from: string;
  where: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
}

/** The first rows and how many there are in all. */
async function readRows(
  trx: OrganizationTransaction,
  { select, from, where, order }: Selection,
): Promise<{ rows: Row[]; total: number }> {
  const { rows } = await sql<Row>`
    select ${select} from ${sql.raw(from)} where ${where} order by ${order} limit ${mostReportRows}`.execute(
    trx,
  );
  const { rows: counts } = await sql<{ n: number }>`
    select count(*)::integer as n from ${sql.raw(from)} where ${where}`.execute(trx);
  return { rows, total: counts[0]?.n ?? 0 };
}

const shown = (what: string, { rows, total }: { rows: readonly unknown[]; total: number }): string =>
  total > rows.length ? `The first ${formatCount(rows.length)} of ${what}.` : `All of ${what}.`;

const cwssState = sql`case r.cwss_state when 'stale' then ${cwssStateLabels.stale} when 'current' then ${cwssStateLabels.current} end`;

/** What to know about the CWSS scores of the rows before they are compared. */
function cwssNote(rows: readonly Row[]): string {
  const vignettes = new Set(
    rows.flatMap(({ cwssScore, vignette }) => (cwssScore === null ? [] : [vignette])),
  );
  const isStale = rows.some((row) => row['cwssState'] === cwssStateLabels.stale);
  return [
    isStale ? ' Stale CWSS scores were calculated from values or vignettes that have changed since.' : '',
    vignettes.size > 1 ? ' CWSS scores of different vignettes are not comparable.' : '',
  ].join('');
}

/** The open vulnerabilities with the highest severity. */
async function vulnerabilityTable(trx: OrganizationTransaction, projectId: string | undefined) {
  const found = await readRows(trx, {
    select: sql`r.name, r.cve_id as "cveId", r.severity::float8 as severity, r.cvss_score::float8 as "cvssScore",
      r.cwss_score::float8 as "cwssScore", ${cwssState} as "cwssState", r.applied_vignette as vignette,
      (select v.asset_count from vulnerability v where v.organization_id = r.organization_id and v.id = r.id) as assets,
      to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD') as created`,
    from: vulnerabilitySource.from,
    where: whereOf(vulnerabilitySource, { status: ['open'], projectId }),
    order: sql`r.severity desc nulls last, r.id desc`,
  });
  return {
    name: 'vulnerabilities',
    title: 'Open vulnerabilities',
    note: `${shown(plural(found.total, 'open vulnerability', 'open vulnerabilities'), found)} Highest severity first.${cwssNote(found.rows)}`,
    columns: [
      { key: 'name', label: 'Name', wraps: true },
      { key: 'cveId', label: 'CVE', wraps: true },
      { key: 'severity', label: 'Severity', isNumber: true, digits: 1 },
      { key: 'cvssScore', label: 'CVSS', isNumber: true, digits: 1 },
      { key: 'cwssScore', label: 'CWSS of 100', isNumber: true, digits: 1 },
      { key: 'cwssState', label: 'CWSS state' },
      { key: 'vignette', label: 'Vignette', wraps: true },
      { key: 'assets', label: 'Assets', isNumber: true },
      { key: 'created', label: 'Created', isDay: true },
    ],
    rows: found.rows,
    empty: 'No open vulnerabilities.',
  } as const satisfies ReportTable;
}

/** The assets with the highest risk scores. */
async function assetTable(trx: OrganizationTransaction, projectId: string | undefined) {
  const found = await readRows(trx, {
    select: sql`r.name, r.project_name as project, r.risk_score::float8 as score, r.health, r.criticality,
      r.threat_count as threats, r.vulnerability_count as vulnerabilities`,
    from: assetSource.from,
    where: whereOf(assetSource, { status: ['at-risk'], ...(projectId && { projectId: [projectId] }) }),
    order: sql`r.risk_score desc, r.id`,
  });
  return {
    name: 'assets',
    title: 'Assets at risk',
    note: `${shown(plural(found.total, 'asset'), found)} With the health Critical or a risk score of 7 or more, highest score first.`,
    columns: [
      { key: 'name', label: 'Name', wraps: true },
      { key: 'project', label: 'Project', wraps: true },
      { key: 'score', label: 'Risk score', isNumber: true, digits: 1 },
      { key: 'health', label: 'Health' },
      { key: 'criticality', label: 'Criticality', isNumber: true },
      { key: 'threats', label: 'Threats', isNumber: true },
      { key: 'vulnerabilities', label: 'Vulnerabilities', isNumber: true },
    ],
    rows: found.rows,
    empty: 'No assets at risk.',
  } as const satisfies ReportTable;
}

/** The threats with the highest risk levels. */
async function threatTable(trx: OrganizationTransaction, projectId: string | undefined) {
  const found = await readRows(trx, {
    select: sql`r.name, r.threat_id as "threatId", r.risk_level::float8 as "riskLevel",
      case when r.is_active then 'Active' else 'Inactive' end as state`,
    from: threatSource.from,
    where: whereOf(threatSource, { projectId }),
    order: sql`r.risk_level desc nulls last, r.id desc`,
  });
  return {
    name: 'threats',
    title: 'Threats',
    note: `${shown(plural(found.total, 'threat'), found)} Highest risk level first.`,
    columns: [
      { key: 'name', label: 'Name', wraps: true },
      { key: 'threatId', label: 'Threat ID', wraps: true },
      { key: 'riskLevel', label: 'Risk level', isNumber: true },
      { key: 'state', label: 'State' },
    ],
    rows: found.rows,
    empty: 'No threats.',
  } as const satisfies ReportTable;
}

/** The reports that records come from. */
async function sourceTable(trx: OrganizationTransaction) {
  const found = await readRows(trx, {
    select: sql`r.name, coalesce(r.stix_version, '') as version, r.object_count as objects,
      to_char(r.uploaded_at at time zone 'UTC', 'YYYY-MM-DD') as uploaded`,
    from: 'report_file r',
    where: sql`r.organization_id = current_organization()`,
    order: sql`r.uploaded_at desc, r.id desc`,
  });
  return {
    name: 'sources',
    title: 'Sources',
    note: `${shown(plural(found.total, 'uploaded report'), found)} Newest first.`,
    columns: [
      { key: 'name', label: 'File', wraps: true },
      { key: 'version', label: 'STIX version', wraps: true },
      { key: 'objects', label: 'Objects', isNumber: true },
      { key: 'uploaded', label: 'Uploaded', isDay: true },
    ],
    rows: found.rows,
    empty: 'No uploaded reports.',
  } as const satisfies ReportTable;
}

/** The tables of records and of their sources, of the organization or of a project. */
export const recordTables = async (
  trx: OrganizationTransaction,
  projectId: string | undefined,
): Promise<ReportTable[]> => [
  await vulnerabilityTable(trx, projectId),
  await assetTable(trx, projectId),
  await threatTable(trx, projectId),
  await sourceTable(trx),
];
