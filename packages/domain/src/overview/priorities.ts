import { assetHealth, assetRiskFigures, assetRiskScore, isAtRisk } from '../asset.ts';
import { plural } from '../count.ts';
import { overallRisk, type RiskCount, riskCounts } from './overall-risk.ts';

/** Something that could be resolved, with the rows that each count would lose. */
export interface Finding {
  /** Unique among the findings of an organization. */
  readonly code: string;
  readonly title: string;
  readonly description: string;
  readonly link: string;
  readonly effect: Partial<Readonly<Record<RiskCount, number>>>;
}

export interface Priority extends Omit<Finding, 'effect'> {
  /** The overall risk score without the finding, 0-100. */
  readonly scoreAfter: number;
  /** `scoreAfter` less the score, never above 0. */
  readonly delta: number;
  /** Change of the weighted sum, before rounding and the limit of 100; below 0. */
  readonly weighted: number;
}

type Counts = Readonly<Record<RiskCount, number>>;

const without = (counts: Counts, effect: Finding['effect']): Counts => ({
  totalThreats: counts.totalThreats - (effect.totalThreats ?? 0),
  openVulnerabilities: counts.openVulnerabilities - (effect.openVulnerabilities ?? 0),
  newVulnerabilities: counts.newVulnerabilities - (effect.newVulnerabilities ?? 0),
  assetsAtRisk: counts.assetsAtRisk - (effect.assetsAtRisk ?? 0),
});

/**
 * The findings without which the overall risk score would be lowest, each recomputed from the counts without it. They are
 * ordered by the weighted sum, because the limit of 100 can hide what they change; findings of the same effect keep their
 * order.
 */
export function priorities(counts: Counts, findings: readonly Finding[], most: number): Priority[] {
  const before = overallRisk(counts);
  return findings
    .filter(({ effect }) => riskCounts.some((count) => (effect[count] ?? 0) > 0))
    .map(({ effect, ...finding }): Priority => {
      const after = overallRisk(without(counts, effect));
      return {
        ...finding,
        scoreAfter: after.score,
        delta: after.score - before.score,
        weighted: after.sum - before.sum,
      };
    })
    .toSorted((one, other) => one.weighted - other.weighted)
    .slice(0, most);
}

/** What decides whether an asset is at risk: its levels and the numbers of its related records. */
export interface RatedAsset {
  readonly criticality: number | null;
  readonly confidentiality: number | null;
  readonly integrity: number | null;
  readonly availability: number | null;
  readonly threats: number;
  readonly vulnerabilities: number;
}

const isRisky = (asset: RatedAsset): boolean =>
  isAtRisk({ health: assetHealth(asset), riskScore: assetRiskScore(asset) });

/** Numbers from just below one down to 0, the largest first. */
const below = (number: number): number[] => Array.from({ length: number }, (_, at) => number - 1 - at);

/**
 * The fewest relations to end: those that make the health Critical, then those to vulnerabilities, which add most to the
 * score; undefined when the levels alone are a risk.
 */
function relationsToEnd(asset: RatedAsset): string | undefined {
  const vulnerabilities = Math.min(asset.vulnerabilities, assetRiskFigures.mostVulnerabilities);
  const threats = Math.min(asset.threats, assetRiskFigures.mostThreats);
  const fewer = [
    ...below(vulnerabilities + 1).map((kept) => ({ ...asset, threats, vulnerabilities: kept })),
    ...below(threats).map((kept) => ({ ...asset, threats: kept, vulnerabilities: 0 })),
  ].find((one) => !isRisky(one));
  if (fewer === undefined) return undefined;
  const ended = [
    { count: asset.vulnerabilities - fewer.vulnerabilities, one: 'vulnerability', many: 'vulnerabilities' },
    { count: asset.threats - fewer.threats, one: 'threat', many: 'threats' },
  ].filter(({ count }) => count > 0);
  return `end its relations to ${ended.map(({ count, one, many }) => plural(count, one, many)).join(' and ')}`;
}

/** What it takes until an asset is no longer at risk, as a sentence. */
export function wayOutOfRisk(asset: RatedAsset): string {
  const { criticality } = asset;
  const lower = below(criticality ?? 0).find(
    (level) => level > 0 && !isRisky({ ...asset, criticality: level }),
  );
  const ways = [
    relationsToEnd(asset),
    lower === undefined ? undefined : `lower its criticality from ${criticality} to ${lower}`,
  ].filter((way) => way !== undefined);
  if (ways.length === 0) return 'Its levels alone put it at risk: lower several of them.';
  const [first = '', ...others] = ways;
  return `${first.charAt(0).toUpperCase()}${[first.slice(1), ...others].join(', or ')}.`;
}
