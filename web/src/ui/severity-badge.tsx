import { Badge } from './badge.tsx';

/** Lowest score of each band, highest first (contract, Meanings: severity bands everywhere). */
const bands = [
  { from: 9, word: 'Critical', tone: 'critical' },
  { from: 7, word: 'High', tone: 'high' },
  { from: 4, word: 'Medium', tone: 'medium' },
  { from: 0, word: 'Low', tone: 'low' },
] as const;

interface SeverityBadgeProps {
  /** 0-10; null where nobody said one: never invented, shown as N/A. */
  score: number | null;
}

/** Score and band of a severity or CVSS score. */
export function SeverityBadge({ score }: SeverityBadgeProps) {
  const band = bands.find(({ from }) => score !== null && score >= from);
  if (score === null || band === undefined) return <span className="text-muted">N/A</span>;
  return (
    <Badge tone={band.tone}>
      {score.toFixed(1)} {band.word}
    </Badge>
  );
}
