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
  expect(first?.[0]).toBe(64);
  expect(last?.[0]).toBe(664);
  expect(last?.[1]).toBeLessThan(first?.[1] ?? 0);
});

const text = { title: 'Lists', sizes: 'rows' };
/** Names beside the lines, from top to bottom, with their places. */
const namesOf = (svg: string) =>
  [...svg.matchAll(/<text x="672" y="(?<y>[\d.]+)" style="fill:(?<color>#\w+)">(?<name>[^<]+)</gu)].map(
    ({ groups }) => ({ name: groups?.['name'], y: Number(groups?.['y']), color: groups?.['color'] }),
  );
const grown = (name: string, last: number) =>
  growthOf(
    {
      name,
      figures: new Map([
        [10, [1]],
        [1000, [last]],
      ]),
    },
    [1],
  );

test('names do not cover each other, also of lines that end at the same place', () => {
  for (const last of [1, 5, 1000]) {
    const names = namesOf(
      growthPlot(
        text,
        ['a', 'b', 'c', 'd'].map((name) => grown(name, last)),
      ),
    );
    expect(names.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
    expect(new Set(names.map(({ color }) => color)).size).toBe(4);
    for (const [index, { y }] of names.entries()) {
      expect(y).toBeGreaterThan(0);
      expect(y).toBeLessThanOrEqual(368);
      expect(y - (names[index - 1]?.y ?? 0)).toBeGreaterThanOrEqual(15);
    }
  }
});

test('of many lines those that grow the most have names', () => {
  const many = Array.from({ length: 20 }, (_, index) => grown(`line ${index}`, 1 + index));
  const names = namesOf(growthPlot(text, many)).map(({ name }) => name);
  expect(names).toEqual([19, 18, 17, 16, 15, 14, 13, 12].map((index) => `line ${index}`));
});

test('a figure of a second and more is shown in seconds', () => {
  const svg = growthPlot(text, [grown('a', 1500)]);
  expect(svg).toContain('>10 s</text>');
  expect(svg).toContain('>100 ms</text>');
});
