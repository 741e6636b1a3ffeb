import { formatCount } from '@riskboard/domain';
import { Link } from '@tanstack/react-router';
import { loneLinkStyle } from '../../ui/button/link-style.ts';

interface ScoredVulnerabilitiesProps {
  /** Name of the vignette. */
  name: string;
  count: number;
}

/** Number of vulnerabilities scored with a vignette; links to those. */
export function ScoredVulnerabilities({ name, count }: ScoredVulnerabilitiesProps) {
  if (count === 0) return <span className="text-muted tabular-nums">0</span>;
  return (
    <Link
      to="/dashboard/vulnerabilities"
      search={{ appliedVignette: [name] }}
      aria-label={`${formatCount(count)} scored with ${name}`}
      className={`${loneLinkStyle} tabular-nums`}
    >
      {formatCount(count)}
    </Link>
  );
}
