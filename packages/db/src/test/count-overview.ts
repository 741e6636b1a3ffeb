import { assetHealth, assetRiskScore, isAtRisk, severityBandOf } from '@riskboard/domain';
import { sql } from 'kysely';
import { type OverviewMeasure, type OverviewTotals, totalsOf } from '../overview/totals.ts';
import type { OrganizationTransaction } from '../with-organization.ts';

const utcDay = (time: Date): string => time.toISOString().slice(0, 10);
const monthOf = (day: string): string => `${day.slice(0, 8)}01`;

/**
 * Counts the rows of an organization from scratch, as decision 0036 describes the numbers: in TypeScript over plain
 * rows and relations, with no column or query that the triggers keep or use.
 */
export async function countOverview(trx: OrganizationTransaction): Promise<OverviewTotals> {
  const all = new Map<string, { measure: OverviewMeasure; bucket: string; count: number; sum: number }>();
  const add = (measure: OverviewMeasure, bucket: string, part = 0) => {
    const key = `${measure} ${bucket}`;
    const known = all.get(key) ?? { measure, bucket, count: 0, sum: 0 };
    // Severities have one decimal, costs two.
    all.set(key, { ...known, count: known.count + 1, sum: Math.round((known.sum + part) * 100) / 100 });
  };
  const assets = await trx.selectFrom('asset').selectAll().execute();
  const threats = await trx.selectFrom('threat').select(['id', 'risk_level', 'is_active']).execute();
  const vulnerabilities = await trx.selectFrom('vulnerability').selectAll().execute();
  const relations = await sql<{ record: string; asset: string; kind: 'threat' | 'vulnerability' }>`
    select threat_id as record, asset_id as asset, 'threat' as kind from threat_asset
    union all select vulnerability_id, asset_id, 'vulnerability' from vulnerability_asset`.execute(trx);
  const assetsById = new Map(assets.map((asset) => [asset.id, asset]));
  const relatedOf = (id: string) => relations.rows.filter(({ record }) => record === id);

  for (const { risk_level: level, is_active: isActive } of threats) {
    add('threats', '');
    if (level !== null && level > 60) add('threatsHigh', '');
    if (isActive) add('threatsActive', '');
  }
  for (const asset of assets) {
    const related = (kind: string) =>
      relations.rows.filter((one) => one.asset === asset.id && one.kind === kind).length;
    const counts = { threats: related('threat'), vulnerabilities: related('vulnerability') };
    const riskScore = assetRiskScore({
      ...counts,
      criticality: asset.criticality,
      confidentiality: asset.confidentiality_level,
      integrity: asset.integrity_level,
      availability: asset.availability_level,
    });
    add('assets', '');
    const costs = (asset.replacement_cost ?? 0) + (asset.recovery_cost ?? 0);
    if (isAtRisk({ health: assetHealth(counts), riskScore })) add('assetsAtRisk', '', costs);
  }
  for (const row of vulnerabilities) {
    const { severity, status } = row;
    const created = utcDay(row.created_at);
    const isOpen = status === 'open';
    add('vulnerabilities', '');
    if (isOpen) {
      add('open', created);
      add('openSeverity', severity === null ? 'none' : severityBandOf(severity).value, severity ?? 0);
    }
    if (severity === null) continue;
    if (severity >= 9) add('critical', '');
    if (isOpen) add('openCategory', row.category_id === null ? 'none' : String(row.category_id), severity);
    const related = relatedOf(row.id).map(({ asset }) => assetsById.get(asset));
    if (isOpen && severity >= 7 && related.length > 0) add('openSevere', 'on-assets');
    if (isOpen && severity >= 7 && related.some((asset) => (asset?.criticality ?? 0) >= 4))
      add('openSevere', 'on-mission-critical-assets');
    const exposed = monthOf(row.discovery_date ?? created);
    add('exposed', exposed, severity);
    if (isOpen) continue;
    const closed =
      (status === 'fixed' ? row.fix_date : null) ?? utcDay(row.status_changed_at ?? row.created_at);
    const month = monthOf(closed);
    add('unexposed', month > exposed ? month : exposed, severity);
  }
  return totalsOf([...all.values()]);
}
