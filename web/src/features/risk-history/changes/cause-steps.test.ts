import { expect, it } from 'vitest';
import { causeSteps } from './cause-steps.ts';

const cause = (label: string, delta: number) => ({
  code: label,
  label,
  delta,
  count: 1,
  query: null,
  listed: null,
});
const shown = (steps: ReturnType<typeof causeSteps>) =>
  steps.map(({ label, delta, start, end }) => [label, delta, start, end]);

it('each cause starts at the score that the one before it has reached, and the last one ends at the second score', () => {
  const causes = [cause('Found', 9), cause('Fixed', -3.5), cause('Rounding', 0.5)];
  expect(shown(causeSteps('risk', 38, { to: 44, causes }))).toEqual([
    ['Found', 9, 38, 47],
    ['Fixed', -3.5, 47, 43.5],
    ['Rounding', 0.5, 43.5, 44],
  ]);
});

it('fractions of an exposure are rounded so that the shown numbers lead exactly to the shown score', () => {
  const causes = [cause('Found', 0.3334), cause('Severity', 0.3334), cause('Fixed', -0.1664)];
  const steps = causeSteps('exposure', 5.0004, { to: 5.5008, causes });
  expect(shown(steps)).toEqual([
    ['Found', 0.334, 5, 5.334],
    ['Severity', 0.333, 5.334, 5.667],
    ['Fixed', -0.166, 5.667, 5.501],
  ]);
});

it('a difference that the causes leave open is a step of its own', () => {
  expect(shown(causeSteps('risk', 10, { to: 15, causes: [cause('Found', 3)] }))).toEqual([
    ['Found', 3, 10, 13],
    ['Not explained', 2, 13, 15],
  ]);
});

it('a rounding that only closes the sum of binary fractions has no step', () => {
  const causes = [cause('Found', 0.5), cause('rounding', -1.1e-16)];
  expect(shown(causeSteps('exposure', 5, { to: 5.5, causes }))).toEqual([['Found', 0.5, 5, 5.5]]);
});

it('scores without a cause and without a difference have no step', () => {
  expect(causeSteps('risk', 10, { to: 10, causes: [] })).toEqual([]);
});
