import { assetRiskFigures } from '@riskboard/domain';

const { atRiskFrom, mostThreats, mostVulnerabilities, perThreat, perVulnerability, perCriticality } =
  assetRiskFigures;

/** SQL expressions of the numbers of threats and vulnerabilities of an asset. */
interface Counts {
  threats: string;
  vulnerabilities: string;
}

const makesHealthCritical = ({ threats, vulnerabilities }: Counts): string =>
  `${vulnerabilities} > ${mostVulnerabilities} or ${threats} > ${mostThreats}`;

/**
 * SQL: whether an asset is at risk by its stored health and score. Its figures are literals, as the expression of the index
 * `asset_by_status` has them (migration 0042).
 */
export const isAssetAtRisk = (row: string): string =>
  `(${row}.health = 'Critical' or ${row}.risk_score >= ${atRiskFrom})`;

/** SQL: whether an asset is at risk by a score and the counts at the same time. */
export const wasAssetAtRisk = ({ score, ...counts }: Counts & { score: string }): string =>
  `(${score} >= ${atRiskFrom} or ${makesHealthCritical(counts)})`;

/** SQL: whether a row of `asset` would be at risk with these counts. */
export const wouldAssetBeAtRisk = (counts: Counts): string =>
  wasAssetAtRisk({
    ...counts,
    score: `round((coalesce(confidentiality_level, 0) + coalesce(integrity_level, 0) + coalesce(availability_level, 0)
      + ${perThreat} * ${counts.threats} + ${perVulnerability} * ${counts.vulnerabilities}
      + ${perCriticality} * coalesce(criticality, 0)) / 3.0, 1)`,
  });
