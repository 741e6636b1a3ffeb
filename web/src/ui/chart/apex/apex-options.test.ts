import { expect, test } from 'vitest';
import type { GraphColors } from '../../graph/colors.ts';
import { levelOptions } from './level-options.ts';
import { radialOptions } from './radial-options.ts';

/** Every color is its own name. */
const colors = new Proxy({}, { get: (_, name) => name }) as GraphColors;

test('an arc starts at 90 degrees, 100 percent of it are 360 degrees, and it has its own color', () => {
  const arcs = [{ name: 'Input Validation', value: 75, color: '#4f76e0' }];
  const { plotOptions, colors: arcColors } = radialOptions(arcs, colors);
  expect(arcColors).toEqual(['#4f76e0']);
  expect(plotOptions?.radialBar).toMatchObject({ startAngle: 90, endAngle: 450 });
  // Without it, the library ends every arc at the top.
  expect(plotOptions?.pie?.startAngle).toBe(90);
});

test('the axis of levels has a tick at every whole number from 0 to 10, and points have the color of their level', () => {
  const { yaxis, markers, annotations, grid } = levelOptions(
    [
      { label: 'Oct', value: 7.1, color: 'red', text: '7.1 High' },
      { label: 'Nov', value: 3, color: 'green', text: '3.0 Low' },
    ],
    [
      { from: 7, to: 10, label: 'High', color: 'red' },
      { from: 0, to: 7, label: 'Low', color: 'green' },
    ],
    colors,
  );
  expect(yaxis).toMatchObject({ min: 0, max: 10, tickAmount: 10 });
  expect(markers?.discrete?.map(({ fillColor }) => fillColor)).toEqual(['red', 'green']);
  expect(annotations?.yaxis?.map(({ y, y2, label }) => [y, y2, label?.text])).toEqual([
    [7, 10, 'High'],
    [0, 7, 'Low'],
  ]);
  // The names of the levels are to the right of the line, which would cover them.
  for (const { label } of annotations?.yaxis ?? [])
    expect(label).toMatchObject({ position: 'right', textAnchor: 'start' });
  expect(grid?.padding?.right).toBeGreaterThan(48);
});
