import { RiskBadge, SeverityBadge } from '../../badge/badge.tsx';

interface RecordBadgeProps {
  noun: 'assets' | 'threats' | 'vulnerabilities';
  /** Risk level of a threat (0-100), severity of a vulnerability (0-10). */
  score: number | null;
}

/** The risk of a threat, or the severity of a vulnerability; nothing for an asset, and without a value, which has no label here. */
export function RecordBadge({ noun, score }: RecordBadgeProps) {
  if (noun === 'assets' || score === null) return null;
  return noun === 'threats' ? <RiskBadge level={score} /> : <SeverityBadge score={score} />;
}
