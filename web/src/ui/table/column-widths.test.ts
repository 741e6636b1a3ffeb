import { expect, it } from 'vitest';
import { columnStyle, fittingSteps, hasRoom, steps, tableStyle } from './column-widths.ts';
import { leastWidth } from './table-style.ts';

const name = { label: 'Name', rowHeader: true };
const size = { label: 'Size', width: 96, sortable: true };
const created = { label: 'Created', width: 128, from: 'md' } as const;

it('the row header has no width, so that it takes the room that the other columns leave', () => {
  expect(columnStyle(name)).toBeUndefined();
  expect(columnStyle(size)).toEqual({ width: 96 });
  expect(columnStyle({ ...size, grow: true })).toBeUndefined();
});

it('a column is as wide as its label at least', () => {
  const { width } = columnStyle({ label: 'Applied Vignette', width: 96, sortable: true }) ?? {};
  expect(Number(width)).toBeGreaterThan(150);
  const narrow = columnStyle({ label: 'Applied Vignette', width: 96, narrowWidth: 80, sortable: true });
  expect(narrow).toEqual({ width });
});

it('the minimum width of a table counts only the columns that a list of that width shows', () => {
  const style = tableStyle([name, size, created], true) as Record<string, string>;
  const least = (step: string) => Number.parseInt(style[`--least${step}`]?.slice('calc('.length) ?? '', 10);
  expect(least('-md') - least('-sm')).toBe(128);
  expect(least('-sm') - least('')).toBe(0);
});

it('columns give up their spare width together until each has what its content needs', () => {
  const state = { label: 'State', width: 172, narrowWidth: 124 };
  expect(columnStyle(state)).toEqual({
    width: 'clamp(124px, 124px + (100cqi - var(--least-md)) * var(--spare-part) * 48, 172px)',
  });
  const style = tableStyle([name, state, { last: true }], true);
  // A list that scrolls sideways leaves the name 200 px.
  const least = 'calc(356px + clamp(0px, (356px - 100cqi) * 1000, 64px))';
  // The name has 104 px and the state 48 px to give up.
  const spare = { '--spare-part': 1 / (104 + 48) };
  expect(style).toEqual({ '--least': least, '--least-sm': least, '--least-md': least, ...spare });
});

it('columns without spare width divide nothing', () => {
  expect(tableStyle([size], false)).toMatchObject({
    '--least': 'calc(96px + clamp(0px, (96px - 100cqi) * 1000, 0px))',
    '--spare-part': 0,
  });
});

it('a column without room beside those before it is shown from the first width that has room', () => {
  const wide = { label: 'Result', width: 400, from: 'sm' } as const;
  const more = { label: 'Owner', width: 60, from: 'sm' } as const;
  // Box and name take 180 px of a list of 576 px.
  expect(fittingSteps([name, wide])).toEqual([undefined, 'md']);
  expect(fittingSteps([name, { ...wide, width: 380 }])).toEqual([undefined, 'sm']);
  expect(fittingSteps([name, { ...wide, width: 380 }, more])).toEqual([undefined, 'sm', 'md']);
  expect(fittingSteps([name, { ...wide, width: 380, from: 'md' }, more])).toEqual([undefined, 'md', 'sm']);
});

it('the list of a screen of 1024 px with the open sidebar shows every column, also those without room', () => {
  const sidebar = 240;
  const padding = 42;
  const scrollbar = 15;
  const list = 1024 - sidebar - padding - scrollbar;
  const columns = [name, { label: 'Text', width: 2000, from: 'sm' }, created] as const;
  for (const from of fittingSteps(columns)) expect(hasRoom({ from }, list)).toBe(true);
  expect(hasRoom(created, 575)).toBe(false);
});

it('the widths of the steps are those of the classes', () => {
  const classes = [...leastWidth.matchAll(/@min-\[(\d+)rem\]\/table:min-w-\(--least-(\w+)\)/gu)];
  expect(classes.map(([, rem, from]) => ({ from, width: 16 * Number(rem) }))).toEqual(
    steps.slice(1).map(({ from, width }) => ({ from, width })),
  );
});
