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

const [width, height, margin] = [720, 420, 56];

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

/** Above this number of lines, names beside their ends would cover each other. */
const mostNames = 8;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/**
 * An SVG of medians by size, both logarithmic: a line that is flat costs the same at every size, a line at 45° grows with
 * it. Each line has its name as a title, and beside its end when there are few.
 */
export function growthPlot(
  { title, sizes: counted, unit = 'ms' }: PlotText,
  rows: readonly GrowthRow[],
): string {
  const points = rows.flatMap(({ sizes }) => sizes);
  const x = axisOf(points.map(({ size }) => size));
  const y = axisOf(points.map(({ p50 }) => p50));
  const left = (size: number) => margin + shareOf(x, size) * (width - 2 * margin);
  const top = (ms: number) => height - margin - shareOf(y, ms) * (height - 2 * margin);
  const at = (size: number, ms: number) => `${left(size).toFixed(1)},${top(ms).toFixed(1)}`;
  const across = powersOf(y).map(
    (ms) => `<path d="M${at(x.least, ms)} L${at(x.greatest, ms)}" class="grid"/>
<text x="${margin - 8}" y="${(top(ms) + 4).toFixed(1)}" text-anchor="end">${Number(ms.toPrecision(1))} ${unit}</text>`,
  );
  const below = powersOf(x).map(
    (size) =>
      `<text x="${left(size).toFixed(1)}" y="${height - margin + 20}" text-anchor="middle">${compact.format(size)}</text>`,
  );
  const lines = rows.map(
    ({ name, sizes }) =>
      `<polyline points="${sizes.map(({ size, p50 }) => at(size, p50)).join(' ')}" class="line"><title>${escaped(name)}</title></polyline>`,
  );
  const names = (rows.length > mostNames ? [] : rows).map(({ name, sizes }) => {
    const last = sizes.at(-1);
    return `<text x="${width - margin}" y="${(top(last?.p50 ?? y.least) - 6).toFixed(1)}" text-anchor="end">${escaped(name)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<style>.grid{stroke:#8884;fill:none}.line{stroke:#2563eb;stroke-opacity:.45;stroke-width:1.5;fill:none}text{fill:#6b7280}</style>
<text x="${margin}" y="24" font-size="14">${escaped(title)}</text>
<text x="${width / 2}" y="${height - 12}" text-anchor="middle">${escaped(counted)}</text>
${[...across, ...below, ...lines, ...names].join('\n')}
</svg>
`;
}
