import {
  impactLayers,
  technicalImpacts,
  type ImpactLayer,
  type ScorecardCell,
  type TechnicalImpact,
} from '@riskboard/domain';

/** Columns of the grid. */
const columns = impactLayers.length;

/** The cells of a scorecard row by row; their index is their position in the grid. */
export const positions: readonly { readonly impact: TechnicalImpact; readonly layer: ImpactLayer }[] =
  technicalImpacts.flatMap((impact) => impactLayers.map((layer) => ({ impact, layer })));

/** Position of a cell in the grid. */
export const indexOf = (row: number, column: number): number => row * columns + column;

/** 'Modify data, System' */
export function cellName(index: number): string {
  const { impact, layer } = positions[index] ?? {};
  return `${impact}, ${layer}`;
}

/** One entry for each position; undefined where there is no rating. */
export type Cells = readonly (ScorecardCell | undefined)[];

export const cellsOf = (scorecard: readonly ScorecardCell[]): Cells =>
  positions.map((at) => scorecard.find(({ impact, layer }) => impact === at.impact && layer === at.layer));

/**
 * Positions of the highest rating of each row. It decides the technical impact, because CWE does not state at which layer
 * an impact occurs.
 */
export function highestOf(ratings: readonly (number | null | undefined)[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const row of technicalImpacts.keys()) {
    const rated = impactLayers
      .map((_, column) => indexOf(row, column))
      .filter((index) => typeof ratings[index] === 'number');
    const highest = Math.max(...rated.map((index) => ratings[index] ?? 0));
    for (const index of rated) if (ratings[index] === highest) found.add(index);
  }
  return found;
}

/** Positions whose rating or note differs. */
export const changedCells = (before: Cells, after: Cells): readonly number[] =>
  [...positions.keys()].filter(
    (index) =>
      before[index]?.subscore !== after[index]?.subscore ||
      (before[index]?.notes ?? '') !== (after[index]?.notes ?? ''),
  );

/** Grounds of the ratings 0 to 10, in steps of one hue. */
const heats = [
  'bg-accent/2',
  'bg-accent/6',
  'bg-accent/10',
  'bg-accent/14',
  'bg-accent/18',
  'bg-accent/22',
  'bg-accent/26',
  'bg-accent/30',
  'bg-accent/34',
  'bg-accent/38',
  'bg-accent/42',
] as const;

/** Style of a cell's ground; a cell without a rating is not on the scale. */
export const heatOf = (rating: number | null | undefined): string =>
  typeof rating === 'number' ? (heats[Math.round(rating)] ?? '') : 'bg-sunken';

type Move = (row: number, column: number) => readonly [row: number, column: number];
const lastRow = technicalImpacts.length - 1;
const lastColumn = columns - 1;

/** Keys that move between cells (ARIA, grid pattern). */
const moves: Readonly<Record<string, Move>> = {
  ArrowUp: (row, column) => [row - 1, column],
  ArrowDown: (row, column) => [row + 1, column],
  ArrowLeft: (row, column) => [row, column - 1],
  ArrowRight: (row, column) => [row, column + 1],
  Home: (row) => [row, 0],
  End: (row) => [row, lastColumn],
  'Control+Home': () => [0, 0],
  'Control+End': () => [lastRow, lastColumn],
};

/** Cell that a key leads to; at an edge the same one. Undefined for keys that do not move. */
export function cellAfter(index: number, { key, ctrlKey }: { key: string; ctrlKey: boolean }) {
  const move = moves[ctrlKey ? `Control+${key}` : key];
  if (move === undefined) return undefined;
  const [row, column] = move(Math.floor(index / columns), index % columns);
  return indexOf(Math.min(Math.max(row, 0), lastRow), Math.min(Math.max(column, 0), lastColumn));
}
