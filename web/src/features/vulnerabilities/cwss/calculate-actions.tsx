import { cwss, type Vulnerability } from '@riskboard/contract';
import { formatCount, plural } from '@riskboard/domain';
import { Calculator, RotateCw } from 'lucide-react';
import { useCommands } from '../../../lib/browser/commands.ts';
import { calculationRequest } from '../../../lib/cwss/calculation-request.ts';
import { useRecalculate } from '../../../lib/cwss/use-calculate.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { ButtonWithReason } from '../../../ui/button/button-with-reason.tsx';
import type { Selected } from '../../../ui/list/use-selection.ts';
import { MenuItem } from '../../../ui/popup/menu.tsx';
import { RecordMenuItems } from '../../../ui/record/record-menu-items.tsx';
import { vulnerability } from '../vulnerability.ts';

// What starts a calculation on the lists of vulnerabilities; it loads apart from them.

/** Items of the menu of a row (spec 2: Calculate CWSS, Download, Delete). */
export function VulnerabilityMenuItems({ row }: { row: Vulnerability }) {
  return (
    <>
      <MenuItem
        icon={<Calculator aria-hidden size={16} />}
        disabledReason={useRefusal(cwss.calculate.access)}
        onSelect={() => calculationRequest.set({ record: row })}
      >
        Calculate CWSS
      </MenuItem>
      <RecordMenuItems entity={vulnerability} row={row} />
    </>
  );
}

/** 'Calculate CWSS (n)': scores the selected vulnerabilities with one vignette, as one job. */
export function CalculateSelected({ selected }: { selected: Selected }) {
  const refusal = useRefusal(cwss.calculateMany.access);
  const open = () => calculationRequest.set({ selected });
  useCommands([
    {
      group: 'Selection',
      about: plural(selected.count, 'row'),
      id: 'calculate cwss of selected',
      label: 'Calculate CWSS of selected',
      terms: 'score vignette bulk',
      icon: <Calculator aria-hidden size={16} />,
      refusal,
      run: open,
    },
  ]);
  return (
    <ButtonWithReason
      size="sm"
      disabledReason={refusal}
      icon={<Calculator aria-hidden size={14} />}
      onClick={open}
    >
      Calculate CWSS ({formatCount(selected.count)})
    </ButtonWithReason>
  );
}

export interface StaleScoresProps {
  /** Query of the list, which shows only stale scores. */
  filter: Record<string, unknown>;
  /** Rows that match; undefined while they are counted. */
  total: number | undefined;
  /** There are more rows than `total`. */
  isCapped: boolean;
}

/** Above a list of stale scores: calculates all of them again, each with the vignette that it applies. */
export function StaleScores({ filter, total, isCapped }: StaleScoresProps) {
  const { mutate, isPending } = useRecalculate();
  const refusal = useRefusal(cwss.calculateMany.access);
  if (total === undefined || total === 0) return null;
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 border-b px-4 py-2 text-sm">
      <span className="text-muted">
        Stale scores no longer fit the data. Each is calculated again with the vignette that it applies.
      </span>
      <ButtonWithReason
        size="sm"
        busy={isPending}
        disabledReason={refusal}
        icon={<RotateCw aria-hidden size={14} />}
        onClick={() => mutate({ selection: { filter }, count: total })}
      >
        Recalculate {isCapped ? 'all stale scores' : plural(total, 'stale score')}
      </ButtonWithReason>
    </div>
  );
}
