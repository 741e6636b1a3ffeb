import { cvss, type CvssScore } from '@riskboard/contract';
import { useQuery, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../lib/api/call.ts';
import { messageOf } from '../../lib/api/errors.ts';
import { formatMean, formatScore } from '../../lib/format/format.ts';
import { useDebounced } from '../../lib/hooks/use-debounced.ts';
import { Badge, type BadgeTone } from '../badge/badge.tsx';
import { Button } from '../button/button.tsx';

const tones: Readonly<Record<string, BadgeTone>> = {
  Critical: 'critical',
  High: 'high',
  Medium: 'medium',
  Low: 'low',
};

/** Score parts in display order; other parts of a reply are omitted. */
const partLabels = [
  ['base', 'Base'],
  ['impact', 'Impact'],
  ['exploitability', 'Exploitability'],
  ['temporal', 'Temporal'],
  ['threat', 'Threat'],
  ['environmental', 'Environmental'],
] as const;

interface CvssLiveScoreProps {
  /** A valid vector, or null while it is incomplete. */
  vector: string | null;
  /** Text about the metrics that are still missing. */
  missing: string;
  /** Called with the base score, which the record uses; with undefined until there is one. */
  onScore?: ((score: number | undefined) => void) | undefined;
}

/** Live score of the vector in the editor. */
export function CvssLiveScore({ vector, missing, onScore }: CvssLiveScoreProps) {
  const settled = useDebounced(vector);
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...cvssScoreQuery(settled ?? ''),
    enabled: settled !== null && settled === vector,
  });
  const isCurrent = vector !== null && settled === vector && error === null && !isPlaceholderData;
  const base = isCurrent && data !== undefined ? (data.parts['base'] ?? data.score) : undefined;
  useEffect(() => onScore?.(base), [onScore, base]);
  return (
    <output aria-label="CVSS score" className="flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      {vector === null && <span className="text-muted">{missing}</span>}
      {vector !== null && error !== null && (
        <>
          <span className="text-danger">No score: {messageOf(error, 'An unexpected error occurred.')}</span>
          <Button size="sm" onClick={() => void refetch()}>
            Retry
          </Button>
        </>
      )}
      {vector !== null && error === null && data !== undefined && (
        <Scores scores={data} old={isPlaceholderData || settled !== vector} />
      )}
      {vector !== null && error === null && data === undefined && (
        <span className="text-muted">Scoring…</span>
      )}
    </output>
  );
}

function Scores({ scores: { score, severity, parts }, old }: { scores: CvssScore; old: boolean }) {
  return (
    <span
      aria-busy={old || undefined}
      className={`flex flex-wrap items-center gap-x-3 gap-y-1 transition-opacity ${old ? 'opacity-60' : ''}`}
    >
      <Badge tone={tones[severity] ?? 'neutral'}>
        {formatScore(score)} {severity}
      </Badge>
      {partLabels.map(
        ([name, word]) =>
          parts[name] !== undefined && (
            <span key={name} className="text-muted tabular-nums">
              {word} {formatMean(parts[name])}
            </span>
          ),
      )}
      {parts['base'] !== undefined && parts['base'] !== score && (
        <span className="text-muted">The record uses the base score.</span>
      )}
    </span>
  );
}

/** Scores of a valid vector; the previous scores stay while the next ones load. */
const cvssScoreQuery = (vector: string) =>
  queryOptions({
    queryKey: ['cvss', vector],
    queryFn: ({ signal }) => call(cvss.score, { body: { vector }, signal }),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
