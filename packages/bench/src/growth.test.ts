import { expect, test } from 'vitest';
import { growthOf, growthPlot } from './growth.ts';

const row = growthOf(
  {
    name: 'sort <name>',
    figures: new Map([
      [10_000, [2, 1, 3]],
      [1_000_000, [4, 6, 5]],
    ]),
  },
  [1, 2, 1],
);

test('growth is the median at the greatest size by the median at the least', () => {
  expect(row.growth).toBe(2.5);
  expect(row.sizes).toEqual([
    { size: 10_000, p50: 2, p99: 3, ratio50: 2, ratio99: 1.5 },
    { size: 1_000_000, p50: 5, p99: 6, ratio50: 5, ratio99: 3 },
  ]);
});

test('a case without figures is an error', () => {
  expect(() => growthOf({ name: 'x', figures: new Map() }, [1])).toThrow('x has no figures');
});

test('the plot has a line for each case, with its escaped name, inside the axes', () => {
  const svg = growthPlot({ title: 'Lists & more', sizes: 'rows' }, [row]);
  expect(svg).toContain('<title>sort &lt;name></title>');
  expect(svg).toContain('Lists &amp; more');
  const points = /points="(?<points>[^"]+)"/u.exec(svg)?.groups?.['points']?.split(' ') ?? [];
  expect(points).toHaveLength(2);
  const [first, last] = points.map((point) => point.split(',').map(Number));
  expect(first?.[0]).toBe(56);
  expect(last?.[0]).toBe(664);
  expect(last?.[1]).toBeLessThan(first?.[1] ?? 0);
});

test('the names of the lines are shown at their ends when there are few', () => {
  const text = { title: 'Lists', sizes: 'rows' };
  expect(growthPlot(text, [row])).toContain('text-anchor="end">sort &lt;name></text>');
  expect(
    growthPlot(
      text,
      Array.from({ length: 9 }, () => row),
    ),
  ).not.toContain('text-anchor="end">sort &lt;name></text>');
});
