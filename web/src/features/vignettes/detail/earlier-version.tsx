import { vignettes, type Reply, type Vignette, type VignetteContent } from '@riskboard/contract';
import { plural } from '@riskboard/domain';
import { Pencil } from 'lucide-react';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { LinkButton } from '../../../ui/button/link-button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { draftTexts, type DraftText } from '../editor/draft.ts';
import { cellsOf, changedCells } from '../scorecard/scorecard.ts';

/** 'Different in the newest version: 2 cells, Notes.' */
function differenceText(earlier: VignetteContent, newest: VignetteContent): string {
  const cells = changedCells(cellsOf(earlier.scorecard), cellsOf(newest.scorecard)).length;
  const fields = Object.entries(draftTexts)
    .filter(([name]) => String(earlier[name as DraftText]) !== String(newest[name as DraftText]))
    .map(([, label]) => label);
  if (cells === 0 && fields.length === 0) return 'It is the same as the newest version.';
  const parts = [...(cells === 0 ? [] : [plural(cells, 'cell')]), ...fields];
  return `Different in the newest version: ${parts.join(', ')}.`;
}

interface EarlierVersionProps {
  vignette: Vignette;
  earlier: Reply<typeof vignettes.version>;
}

/** Says that an earlier version is shown, and what differs from the newest one. */
export function EarlierVersion({ vignette, earlier }: EarlierVersionProps) {
  const { version, by, at } = earlier;
  const id = vignette._id;
  return (
    <Notice>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 grow">
          <p className="font-medium tabular-nums">
            Version {version} of {vignette.version}, saved {by === '' ? '' : `by ${by} `}
            <Time value={at} />. Read-only.
          </p>
          <p className="tabular-nums">{differenceText(earlier, vignette)}</p>
        </div>
        <div className="flex flex-wrap gap-2">
          <LinkButton
            size="sm"
            to="/dashboard/reports/vignettes/$id/edit"
            params={{ id }}
            search={{ version }}
            icon={<Pencil aria-hidden size={14} />}
            disabledReason={useRefusal(vignettes.update.access)}
          >
            Edit from this version
          </LinkButton>
          <LinkButton size="sm" to="/dashboard/reports/vignettes/$id" params={{ id }}>
            Show newest
          </LinkButton>
        </div>
      </div>
    </Notice>
  );
}
