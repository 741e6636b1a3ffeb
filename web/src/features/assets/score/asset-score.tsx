import { useState } from 'react';
import { AssetRiskBadge } from '../../../ui/badge/asset-badge.tsx';
import { idlePart } from '../../../ui/layout/idle-part.tsx';
import { formatMean } from '../../../lib/format/format.ts';

const { Part: ScoreDialog } = idlePart(async () => (await import('./score-dialog.tsx')).ScoreDialog, null);

interface AssetScoreProps {
  id: string;
  name: string;
  score: number;
}

/** The score of an asset; opens how it comes about. */
export function AssetScore({ id, name, score }: AssetScoreProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label={`Risk score ${formatMean(score)} of ${name}: how it comes about`}
        onClick={() => setOpen(true)}
        className="inline-flex min-h-6 cursor-pointer items-center rounded hover:outline hover:outline-1 hover:outline-line-strong"
      >
        <AssetRiskBadge score={score} />
      </button>
      {open && <ScoreDialog id={id} name={name} onClose={() => setOpen(false)} />}
    </>
  );
}
