import type { VignetteSummary } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { Link } from '@tanstack/react-router';
import { loneLinkStyle } from '../../ui/button/link-style.ts';

interface ScoredVulnerabilitiesProps {
  vignette: Pick<VignetteSummary, '_id' | 'name' | 'vulnerabilities'>;
}

/** Number of vulnerabilities scored with a vignette; links to those. */
export function ScoredVulnerabilities({ vignette }: ScoredVulnerabilitiesProps) {
  const { _id: vignetteId, name, vulnerabilities: count } = vignette;
  if (count === 0) return <span className="text-muted tabular-nums">0</span>;
  return (
    <Link
      to="/dashboard/vulnerabilities"
      search={{ vignetteId }}
      aria-label={`${formatCount(count)} scored with ${name}`}
      className={`${loneLinkStyle} tabular-nums`}
    >
      {formatCount(count)}
    </Link>
  );
}
