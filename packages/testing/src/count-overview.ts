/** Runs a statement and returns its rows. */
type Read = <T>(text: string) => Promise<T[]>;

interface Total {
  count: number;
  sum: number;
}

interface VulnerabilityRow {
  id: string;
  status: 'open' | 'mitigated' | 'fixed' | 'accepted';
  severity: number | null;
  cvss_score: number | null;
  category_id: number | null;
  discovery_date: string | null;
  fix_date: string | null;
  created_at: Date;
  status_changed_at: Date | null;
  closed_on: string | null;
}

interface AssetRow {
  id: string;
  criticality: number | null;
  confidentiality_level: number | null;
  integrity_level: number | null;
  availability_level: number | null;
  replacement_cost: number | null;
  recovery_cost: number | null;
}

interface RelationRow {
  noun: 'threat' | 'vulnerability';
  record: string;
  asset: string;
}

const utcDay = (time: Date): string => time.toISOString().slice(0, 10);
const monthOf = (day: string): string => `${day.slice(0, 8)}01`;

/** Health Critical, or a risk score of at least 7 (spec 4 and 9, Assets). */
function isAtRisk(asset: AssetRow, related: readonly RelationRow[]): boolean {
  const threats = related.filter(({ noun }) => noun === 'threat').length;
  const vulnerabilities = related.length - threats;
  if (vulnerabilities > 3 || threats > 5) return true;
  const { criticality, confidentiality_level: c, integrity_level: i, availability_level: a } = asset;
  const levels = (c ?? 0) + (i ?? 0) + (a ?? 0) + 2 * (criticality ?? 0);
  const score = (levels + 0.5 * threats + 0.7 * vulnerabilities) / 3;
  return Math.round(score * 10) / 10 >= 7;
}

function bandOf(severity: number): string {
  if (severity >= 9) return 'critical';
  if (severity >= 7) return 'high';
  return severity >= 4 ? 'medium' : 'low';
}

/**
 * Counts the numbers of the overview from scratch, as decisions 0036 and 0089 describe them: over plain rows and relations, with no
 * column, function or query that the triggers keep or use. @param read reads one organization
 */
export async function countOverview(read: Read): Promise<Map<string, Map<string, Total>>> {
  const totals = new Map<string, Map<string, Total>>();
  const add = (measure: string, bucket: string, part = 0) => {
    const buckets = totals.get(measure) ?? new Map<string, Total>();
    totals.set(measure, buckets);
    const { count, sum } = buckets.get(bucket) ?? { count: 0, sum: 0 };
    // At most two decimals, which binary fractions add up inexactly.
    buckets.set(bucket, { count: count + 1, sum: Math.round((sum + part) * 100) / 100 });
  };
  const relations = await read<RelationRow>(`
    select 'threat' as noun, threat_id as record, asset_id as asset from threat_asset
    union all select 'vulnerability', vulnerability_id, asset_id from vulnerability_asset`);
  const ofAsset = Map.groupBy(relations, ({ asset }) => asset);
  const ofRecord = Map.groupBy(relations, ({ record }) => record);

  for (const { level, active } of await read<{ level: number | null; active: boolean }>(
    'select risk_level as level, is_active as active from threat',
  )) {
    add('threats', '');
    if (level !== null && level > 60) add('threatsHigh', '');
    if (active) add('threatsActive', '');
    if (level !== null && level > 40) add('riskCard', level > 70 ? 'critical' : 'high');
  }

  for (const { version, size } of await read<{ version: string | null; size: number }>(
    'select stix_version as version, size::float8 as size from report_file',
  ))
    add('reports', version ?? 'unknown', size);

  const assets = await read<AssetRow>('select * from asset');
  const vital = new Set(assets.filter(({ criticality }) => (criticality ?? 0) >= 4).map(({ id }) => id));
  for (const asset of assets) {
    add('assets', '');
    const levels = {
      criticality: asset.criticality,
      confidentiality: asset.confidentiality_level,
      integrity: asset.integrity_level,
    };
    for (const [name, level] of Object.entries(levels)) if ((level ?? 0) >= 4) add('highLevel', name);
    if (isAtRisk(asset, ofAsset.get(asset.id) ?? []))
      add('assetsAtRisk', '', (asset.replacement_cost ?? 0) + (asset.recovery_cost ?? 0));
  }

  for (const row of await read<VulnerabilityRow>('select * from vulnerability')) {
    const { severity, status } = row;
    const created = utcDay(row.created_at);
    const isOpen = status === 'open';
    add('vulnerabilities', '');
    if (status === 'fixed') add('fixed', '');
    if (row.cvss_score !== null) add('cvss', '', row.cvss_score);
    if (isOpen) {
      add('open', created);
      add('openSeverity', severity === null ? 'none' : bandOf(severity), severity ?? 0);
    }
    if (severity === null) continue;
    if (severity >= 9) add('critical', '');
    if (severity > 6) add('severityCard', severity > 8 ? 'critical' : 'high');
    const related = ofRecord.get(row.id) ?? [];
    if (isOpen) {
      add('openCategory', row.category_id === null ? 'none' : String(row.category_id), severity);
      if (severity >= 7 && related.length > 0) add('openSevere', 'on-assets');
      const isOnVital = related.some(({ asset }) => vital.has(asset));
      if (severity >= 7 && isOnVital) add('openSevere', 'on-mission-critical-assets');
      if (severity >= 9 && isOnVital) add('criticalOnMissionCritical', created);
    }
    const exposed = monthOf(row.discovery_date ?? created);
    add('exposed', exposed, severity);
    if (isOpen) continue;
    const fixed = status === 'fixed' ? row.fix_date : null;
    const kept = row.closed_on;
    const closed = monthOf(
      kept === null
        ? (fixed ?? utcDay(row.status_changed_at ?? row.created_at))
        : fixed !== null && fixed < kept
          ? fixed
          : kept,
    );
    add('unexposed', closed > exposed ? closed : exposed, severity);
  }
  return totals;
}
