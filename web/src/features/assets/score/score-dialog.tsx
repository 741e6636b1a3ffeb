import type { AssetScore } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { useQuery } from '@tanstack/react-query';
import { formatMean, formatNumber } from '../../../lib/format/format.ts';
import { AssetRiskBadge } from '../../../ui/badge/asset-badge.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { ErrorState } from '../../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { ScoreContributions } from './score-contributions.tsx';
import { ScoreHistory } from './score-history.tsx';
import { scoreQuery } from './score-query.ts';

const headingStyle = 'mb-1.5 text-sm font-semibold';

interface ScoreDialogProps {
  id: string;
  /** Of the asset. */
  name: string;
  onClose: () => void;
}

/** How the score of an asset comes about. */
export function ScoreDialog({ id, name, onClose }: ScoreDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="How this score comes about"
      description={name}
      width={640}
    >
      <ScorePanel id={id} />
    </Dialog>
  );
}

/** Formula, inputs, contributions and history. */
function ScorePanel({ id }: { id: string }) {
  const query = useQuery(scoreQuery(id));
  const { data, error } = query;
  if (data === undefined && error !== null) {
    return (
      <ErrorState
        title="Failed to load the score."
        error={error}
        busy={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    );
  }
  if (data === undefined) return <Skeleton />;
  return (
    <div className="flex flex-col gap-5">
      <section aria-label="Formula">
        <p className="mb-2">
          <AssetRiskBadge score={data.score} />
        </p>
        <p className="text-sm text-muted">Risk score = {data.formula}</p>
        <p className="mt-1.5 font-mono text-sm tabular-nums">{calculation(data)}</p>
      </section>
      <section aria-label="Contributions">
        <h3 className={headingStyle}>What adds to it</h3>
        <ScoreContributions score={data.score} contributions={data.contributions} />
      </section>
      <section aria-label="History">
        <h3 className={headingStyle}>What changed it</h3>
        <ScoreHistory history={data.history} thinned={data.historyIsThinned} />
      </section>
    </div>
  );
}

/** The formula with the numbers of this asset, in its order. */
function calculation({ score, inputs }: AssetScore): string {
  const level = (value: number | null) => formatNumber(value ?? 0);
  const terms = [
    level(inputs.confidentialityLevel),
    level(inputs.integrityLevel),
    level(inputs.availabilityLevel),
    `0.5 × ${formatCount(inputs.threatCount)}`,
    `0.7 × ${formatCount(inputs.vulnerabilityCount)}`,
    `2 × ${level(inputs.criticality)}`,
  ];
  return `(${terms.join(' + ')}) ÷ 3 → ${formatMean(score)}`;
}
