import { useState } from 'react';
import { AssetRiskBadge } from '../../../ui/badge/asset-badge.tsx';
import { idlePart } from '../../../ui/layout/idle-part.tsx';

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
        onClick={() => setOpen(true)}
        className="inline-flex min-h-6 cursor-pointer items-center rounded hover:outline hover:outline-1 hover:outline-line-strong"
      >
        <AssetRiskBadge score={score} />
        <span className="sr-only">: explain the risk score of {name}</span>
      </button>
      {open && <ScoreDialog id={id} name={name} onClose={() => setOpen(false)} />}
    </>
  );
}
