import { technicalImpacts, impactLayers, type ScorecardCell } from '@riskboard/domain';
import { useId, useMemo, useRef, useState } from 'react';
import { formatNumber } from '../../../lib/format/format.ts';
import { cellAfter, cellName, cellsOf, changedCells, heatOf, highestOf, positions } from './scorecard.ts';
import { decidingStyle, ScorecardFrame, ScorecardLegend } from './scorecard-frame.tsx';

interface ScorecardGridProps {
  scorecard: readonly ScorecardCell[];
  /** Scorecard of the newest version, when an earlier one is shown. */
  newest?: readonly ScorecardCell[] | undefined;
}

const ratingText = (cell: ScorecardCell | undefined): string =>
  cell === undefined ? 'not rated' : formatNumber(cell.subscore);

/** A scorecard to read: one cell takes the focus, arrow keys move it, and its note is shown below. */
export function ScorecardGrid({ scorecard, newest }: ScorecardGridProps) {
  const id = useId();
  const table = useRef<HTMLTableElement>(null);
  const [focused, setFocused] = useState(0);
  const [shown, setShown] = useState<number>();
  const cells = useMemo(() => cellsOf(scorecard), [scorecard]);
  const current = useMemo(() => newest && cellsOf(newest), [newest]);
  const deciding = useMemo(() => highestOf(cells.map((cell) => cell?.subscore)), [cells]);
  const changed = useMemo(() => new Set(current && changedCells(cells, current)), [cells, current]);

  function move(index: number | undefined): boolean {
    if (index === undefined) return false;
    table.current?.querySelector<HTMLElement>(`[data-cell="${index}"]`)?.focus();
    return true;
  }

  return (
    <>
      <ScorecardFrame
        label="Scorecard"
        describedBy={`${id}-keys`}
        table={table}
        renderCell={(index) => {
          const cell = cells[index];
          const isChanged = changed.has(index);
          return (
            <td
              key={index}
              data-cell={index}
              data-changed={isChanged || undefined}
              tabIndex={index === focused ? 0 : -1}
              aria-describedby={index === shown ? `${id}-cell` : undefined}
              onFocus={() => {
                setFocused(index);
                setShown(index);
              }}
              onPointerEnter={() => setShown(index)}
              onKeyDown={(event) => {
                if (move(cellAfter(index, event))) event.preventDefault();
              }}
              className={`relative h-11 border-l p-0 text-center tabular-nums focus-visible:z-10 focus-visible:-outline-offset-2 ${heatOf(cell?.subscore)} ${deciding.has(index) ? decidingStyle : ''}`}
            >
              <span className={cell === undefined ? 'text-muted' : undefined}>
                {cell === undefined ? (
                  <>
                    <span aria-hidden>–</span>
                    <span className="sr-only">Not rated</span>
                  </>
                ) : (
                  formatNumber(cell.subscore)
                )}
              </span>
              {deciding.has(index) && <span className="sr-only">, highest of its row</span>}
              {isChanged && (
                <span className="block text-xs text-accent-text">
                  <span className="sr-only">, now </span>
                  <span aria-hidden>→ </span>
                  {cell?.subscore === current?.[index]?.subscore ? 'note' : ratingText(current?.[index])}
                </span>
              )}
              {cell !== undefined && cell.notes !== '' && (
                <span aria-hidden className="absolute top-1.5 right-1.5 size-1.5 rounded-full bg-accent" />
              )}
            </td>
          );
        }}
      />
      <div className="flex flex-col gap-2 border-t px-4 py-3">
        <CellNote id={`${id}-cell`} index={shown} cells={cells} newest={current} />
        <ScorecardLegend>
          {current !== undefined && (
            <span>
              <span className="mr-1 text-accent-text">→</span> Differs from the newest version
            </span>
          )}
        </ScorecardLegend>
        <p id={`${id}-keys`} className="sr-only">
          {technicalImpacts.length} impacts at {impactLayers.length} layers, rated 0 to 10. Arrow keys move
          between the cells.
        </p>
      </div>
    </>
  );
}

interface CellNoteProps {
  id: string;
  /** The cell in focus or under the pointer. */
  index: number | undefined;
  cells: ReturnType<typeof cellsOf>;
  newest: ReturnType<typeof cellsOf> | undefined;
}

/** Rating and note of one cell. Its height is that of two lines, so that the page does not move. */
function CellNote({ id, index, cells, newest }: CellNoteProps) {
  if (index === undefined || positions[index] === undefined) {
    return (
      <p id={id} className="min-h-11 text-sm text-muted">
        Focus or point at a cell to read its note.
      </p>
    );
  }
  const cell = cells[index];
  const now = newest?.[index];
  return (
    <div id={id} className="min-h-11 text-sm">
      <p className="tabular-nums">
        <span className="font-medium">{cellName(index)}</span>{' '}
        <span className="text-muted">
          {cell === undefined ? 'not rated' : `${formatNumber(cell.subscore)} of 10`}
        </span>
      </p>
      <p className="max-w-[80ch] wrap-anywhere whitespace-pre-line text-muted">
        {cell === undefined || cell.notes === '' ? 'No note.' : cell.notes}
      </p>
      {newest !== undefined && now !== undefined && now.notes !== '' && now.notes !== cell?.notes && (
        <p className="max-w-[80ch] wrap-anywhere whitespace-pre-line text-accent-text">
          Newest note: {now.notes}
        </p>
      )}
    </div>
  );
}
