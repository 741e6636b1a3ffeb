import type { Vulnerability } from '@riskboard/contract';
import { formatScore } from '../../../lib/format/format.ts';
import { idlePart } from '../../../ui/layout/idle-part.tsx';
import type { Selected } from '../../../ui/list/use-selection.ts';
import { RowMenu } from '../../../ui/popup/row-menu.tsx';
import { bulkActionsOf } from '../../../ui/record/lazy-list-parts.tsx';
import { Empty } from '../../../ui/text/empty.tsx';
import { vulnerability } from '../vulnerability.ts';
import type { StaleScoresProps } from './calculate-actions.tsx';
import type { CwssMarksProps } from './cwss-marks.tsx';

const actions = () => import('./calculate-actions.tsx');

const { Part: MenuItems, useIdleLoad: useMenuItems } = idlePart<{ row: Vulnerability }>(
  async () => (await actions()).VulnerabilityMenuItems,
);
const { Part: CalculateSelected } = idlePart<{ selected: Selected }>(
  async () => (await actions()).CalculateSelected,
  null,
);
const { Part: StaleScores } = idlePart<StaleScoresProps>(async () => (await actions()).StaleScores, null);
const { Part: CwssMarks } = idlePart<CwssMarksProps>(
  async () => (await import('./cwss-marks.tsx')).CwssMarks,
  null,
);

/** Row menu of the lists of vulnerabilities (spec 2: Calculate CWSS, Download, Delete). */
export function VulnerabilityMenu({ row }: { row: Vulnerability }) {
  useMenuItems();
  return (
    <RowMenu name={row.name}>
      <MenuItems row={row} />
    </RowMenu>
  );
}

const recordActions = bulkActionsOf(vulnerability);

/** Buttons for the selected rows: calculate, edit, delete. */
export const vulnerabilityBulkActions = (selected: Selected) => (
  <>
    <CalculateSelected selected={selected} />
    {recordActions(selected)}
  </>
);

interface StaleBannerProps<State> {
  source: { readonly filter: (state: State) => Record<string, unknown> };
  search: State;
  /** Reply of the list; undefined while it loads. */
  list: { total: number; totalIsCapped?: true | undefined } | undefined;
}

/** Offers to calculate all listed scores again, when the list shows only stale ones. */
export function StaleBanner<State extends { readonly cwssState?: readonly string[] }>({
  source,
  search,
  list,
}: StaleBannerProps<State>) {
  if (search.cwssState?.join() !== 'stale') return null;
  return (
    <StaleScores filter={source.filter(search)} total={list?.total} isCapped={list?.totalIsCapped === true} />
  );
}

interface CwssCellProps {
  row: CwssMarksProps & Pick<Vulnerability, 'cwssScore'>;
}

/** CWSS of a vulnerability out of 100, marked when it is stale and when analysts set factors. */
export function CwssCell({ row: { cwssScore, cwssStale, cwssOverrides } }: CwssCellProps) {
  return (
    // Marks that find no room beside the number are below it; compact rows have one line.
    <span className="-mr-3 flex flex-wrap items-center gap-x-1 whitespace-normal group-data-[density=compact]/table:flex-nowrap">
      {cwssScore === null ? (
        <Empty />
      ) : (
        <span className="leading-5 whitespace-nowrap tabular-nums">
          {formatScore(cwssScore)}
          <span className="text-xs text-muted">/100</span>
        </span>
      )}
      {cwssStale.length + cwssOverrides.length > 0 && (
        <CwssMarks cwssStale={cwssStale} cwssOverrides={cwssOverrides} />
      )}
    </span>
  );
}
