import { expect, it } from 'vitest';
import { columnStyle, fittingSteps, steps, tableStyle } from './column-widths.ts';
import { leastWidth } from './table-style.ts';

const name = { label: 'Name', rowHeader: true };
const size = { label: 'Size', width: 96, sortable: true };
const created = { label: 'Created', width: 128, from: 'lg' } as const;

it('the row header has no width, so that it takes the room that the other columns leave', () => {
  expect(columnStyle(name)).toBeUndefined();
  expect(columnStyle(size)).toEqual({ width: 96 });
  expect(columnStyle({ ...size, grow: true })).toBeUndefined();
});

it('a column is as wide as its label at least', () => {
  const { width } = columnStyle({ label: 'Applied Vignette', width: 96, sortable: true }) ?? {};
  expect(Number(width)).toBeGreaterThan(150);
});

it('the minimum width of a table counts only the columns that a list of that width shows', () => {
  const style = tableStyle([name, size, created], true) as Record<string, string>;
  const least = (step: string) => Number.parseInt(style[`--least${step}`] ?? '', 10);
  expect(least('-lg') - least('-md')).toBeGreaterThanOrEqual(128);
  expect(least('-sm') - least('')).toBeLessThan(96);
});

it('a column with a narrow width takes more where the list has room, and needs no more in the narrowest', () => {
  const state = { label: 'State', width: 172, narrowWidth: 124 };
  expect(columnStyle(state)).toEqual({ width: 'clamp(124px, 100cqi - 232px, 172px)' });
  const style = tableStyle([name, state, { last: true }], true) as Record<string, string>;
  expect(style['--least']).toBe(`${44 + 136 + 124 + 52}px`);
  expect(style['--least-sm']).toBe(`${44 + 150 + 172 + 52}px`);
});

it('a column without room beside those before it is shown from the first width that has room', () => {
  const wide = { label: 'Result', width: 400, from: 'sm' } as const;
  const more = { label: 'Owner', width: 200, from: 'sm' } as const;
  // Box and name take 194 px of a list of 576 px, and 212 px from 864 px on.
  expect(fittingSteps([name, wide])).toEqual([undefined, 'md']);
  expect(fittingSteps([name, wide, more])).toEqual([undefined, 'md', 'lg']);
  expect(fittingSteps([name, { ...wide, width: 380 }])).toEqual([undefined, 'sm']);
  expect(fittingSteps([name, { ...wide, width: 380, from: 'xl' }, more])).toEqual([undefined, 'xl', 'sm']);
});

it('a column that fits no list is shown in the widest', () => {
  expect(fittingSteps([name, { label: 'Text', width: 2000, from: 'md' }])).toEqual([undefined, 'xxl']);
});

it('the widths of the steps are those of the classes', () => {
  const classes = [...leastWidth.matchAll(/@min-\[(\d+)rem\]\/table:min-w-\(--least-(\w+)\)/gu)];
  expect(classes.map(([, rem, from]) => ({ from, width: 16 * Number(rem) }))).toEqual(
    steps.slice(1).map(({ from, width }) => ({ from, width })),
  );
});
