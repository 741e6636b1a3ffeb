import { severityBandOf } from '@riskboard/domain';
import { formatScore } from '../../lib/format/format.ts';
import { Badge } from './badge.tsx';
import { Empty } from '../text/empty.tsx';

interface SeverityBadgeProps {
  /** 0-10; null where nobody said one: never invented, shown as N/A. */
  score: number | null;
}

/** Score and band of a severity or CVSS score (contract, Meanings: severity bands everywhere). */
export function SeverityBadge({ score }: SeverityBadgeProps) {
  if (score === null) return <Empty />;
  const { value, label } = severityBandOf(score);
  return (
    <Badge tone={value}>
      {formatScore(score)} {label}
    </Badge>
  );
}
