import { percentile } from './statistics.ts';

/** Figures of one case at growing sizes, in milliseconds. */
export interface GrowthCase {
  name: string;
  /** By size. */
  figures: ReadonlyMap<number, readonly number[]>;
}

export interface GrowthRow {
  name: string;
  /** By size, in the order of the sizes; ratios are to the floor of the same run. */
  sizes: { size: number; p50: number; p99: number; ratio50: number; ratio99: number }[];
  /** Median at the greatest size by the median at the least. */
  growth: number;
}

/** Medians, 99th percentiles and growth of a case. @throws for a case without figures */
export function growthOf({ name, figures }: GrowthCase, floor: readonly number[]): GrowthRow {
  const [floor50, floor99] = [percentile(floor, 0.5), percentile(floor, 0.99)];
  const sizes = [...figures].map(([size, ms]) => {
    const [p50, p99] = [percentile(ms, 0.5), percentile(ms, 0.99)];
    return { size, p50, p99, ratio50: p50 / floor50, ratio99: p99 / floor99 };
  });
  const [first, last] = [sizes[0], sizes.at(-1)];
  if (first === undefined || last === undefined) throw new Error(`${name} has no figures`);
  return { name, sizes, growth: last.p50 / first.p50 };
}

const [width, height] = [880, 420];
/** Around the lines: for the units, the title, the names and the sizes. */
const margin = { left: 64, top: 48, right: 216, bottom: 56 };
/** Between two names, in the units of the drawing. */
const nameHeight = 15;

const compact = new Intl.NumberFormat('en-US', { notation: 'compact' });

interface Axis {
  least: number;
  greatest: number;
}

/** Whole powers of ten around the values, at least one decade. */
function axisOf(values: readonly number[]): Axis {
  const least = 10 ** Math.floor(Math.log10(Math.min(...values)));
  const greatest = 10 ** Math.ceil(Math.log10(Math.max(...values)));
  return { least, greatest: greatest === least ? least * 10 : greatest };
}

const shareOf = ({ least, greatest }: Axis, value: number): number =>
  Math.log10(value / least) / Math.log10(greatest / least);

const powersOf = ({ least, greatest }: Axis): number[] =>
  Array.from({ length: Math.round(Math.log10(greatest / least)) + 1 }, (_, n) => least * 10 ** n);

export interface PlotText {
  title: string;
  /** What the sizes count. */
  sizes: string;
  /** Unit of the medians; `ms` by default. */
  unit?: string;
}

/** Names beside the ends of the lines; of more lines those that grow the most have one. */
const mostNames = 8;
/** Of the named lines: distinct for color-blind people, on light and dark grounds (Okabe and Ito, 2008). */
const colors = ['#d55e00', '#0072b2', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#8b6cc4', '#7f7f7f'];

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const shownFigure = (value: number, unit: string): string => {
  const [figure, shownUnit] = unit === 'ms' && value >= 1000 ? [value / 1000, 's'] : [value, unit];
  return `${Number(figure.toPrecision(1))} ${shownUnit}`;
};

/** The tops of names, from the first to the last, moved apart so that no two names cover each other, and none leaves the drawing. */
function apart(tops: readonly number[]): number[] {
  const down: number[] = [];
  for (const nameTop of tops) down.push(Math.max(nameTop, (down.at(-1) ?? -Infinity) + nameHeight));
  const up: number[] = [];
  for (const nameTop of down.toReversed())
    up.push(Math.min(nameTop, (up.at(-1) ?? height - margin.bottom + nameHeight) - nameHeight));
  return up.toReversed();
}

/**
 * An SVG of medians by size, both logarithmic: a line that is flat costs the same at every size, a line at 45° grows with
 * it. Each line has its name as a title; those that grow the most have it beside their end too.
 */
export function growthPlot(
  { title, sizes: counted, unit = 'ms' }: PlotText,
  rows: readonly GrowthRow[],
): string {
  const points = rows.flatMap(({ sizes }) => sizes);
  const x = axisOf(points.map(({ size }) => size));
  const y = axisOf(points.map(({ p50 }) => p50));
  const [right, bottom] = [width - margin.right, height - margin.bottom];
  const left = (size: number) => margin.left + shareOf(x, size) * (right - margin.left);
  const top = (figure: number) => bottom - shareOf(y, figure) * (bottom - margin.top);
  const at = (size: number, figure: number) => `${left(size).toFixed(1)},${top(figure).toFixed(1)}`;
  const across = powersOf(y).map(
    (figure) => `<path d="M${at(x.least, figure)} L${at(x.greatest, figure)}" class="grid"/>
<text x="${margin.left - 8}" y="${(top(figure) + 4).toFixed(1)}" text-anchor="end">${shownFigure(figure, unit)}</text>`,
  );
  const below = powersOf(x).map(
    (size) =>
      `<text x="${left(size).toFixed(1)}" y="${bottom + 20}" text-anchor="middle">${compact.format(size)}</text>`,
  );
  const endOf = ({ sizes }: GrowthRow): number => top(sizes.at(-1)?.p50 ?? y.least);
  const named = rows
    .toSorted((a, b) => b.growth - a.growth)
    .slice(0, mostNames)
    .toSorted((a, b) => endOf(a) - endOf(b));
  const colorOf = new Map(named.map((row, index) => [row, colors[index]]));
  const tops = apart(named.map((row) => endOf(row)));
  // Named lines are drawn last, above the others.
  const lines = [...rows.filter((row) => !colorOf.has(row)), ...named].map((row) => {
    const color = colorOf.get(row);
    const look = color === undefined ? 'class="line"' : `class="line named" style="stroke:${color}"`;
    const path = row.sizes.map(({ size, p50 }) => at(size, p50)).join(' ');
    return `<polyline points="${path}" ${look}><title>${escaped(row.name)}</title></polyline>`;
  });
  const names = named.map(
    (row, index) =>
      `<text x="${right + 8}" y="${((tops[index] ?? 0) + 4).toFixed(1)}" style="fill:${colorOf.get(row)}">${escaped(row.name)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<style>.grid{stroke:#8884;fill:none}.line{stroke:#8886;stroke-width:1;fill:none}.named{stroke-width:2}text{fill:#7b8190}</style>
<text x="${margin.left}" y="24" font-size="14">${escaped(title)}</text>
<text x="${(margin.left + right) / 2}" y="${height - 12}" text-anchor="middle">${escaped(counted)}</text>
${[...across, ...below, ...lines, ...names].join('\n')}
</svg>
`;
}
