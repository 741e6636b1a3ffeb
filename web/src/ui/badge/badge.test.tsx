import { riskBandOf, riskBands, severityBandOf, severityBands } from '@riskboard/domain';
import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { colorings } from '../graph/coloring.ts';
import { graphKinds, valueText, type GraphKind, type GraphNode } from '../graph/kinds.ts';

const { bandOf } = colorings.score;
import { RiskBadge, SeverityBadge } from './badge.tsx';

/** Values around a threshold, from a tenth away to the nearest floating-point number. */
const around = (threshold: number): number[] =>
  [0, 0.1, 0.06, 0.05, 0.04, 0.01, 0.006, 0.005, 0.001, 1e-6, 1e-9, 2e-15].flatMap((step) => [
    threshold - step,
    threshold + step,
  ]);

const inRange = (score: number): boolean => score >= 0 && score <= 10;

const scores = [...severityBands.map(({ from }) => from), 10].flatMap(around).filter(inRange);

it.each(scores)('the number shown for severity %d belongs to the band of its label', (score) => {
  const { container } = render(<SeverityBadge score={score} />);
  const [shown = '', word] = (container.textContent ?? '').split(' ');
  expect(word).toBe(severityBandOf(score).label);
  expect(word).toBe(severityBandOf(Number(shown)).label);
  expect(shown).toMatch(/^\d+\.\d{1,2}$/u);
});

const levels = [...riskBands.map(({ above }) => above), 100]
  .flatMap(around)
  .filter((level) => level >= 0 && level <= 100);

it.each(levels)('the number shown for risk level %d belongs to the band of its label', (level) => {
  const { container } = render(<RiskBadge level={level} />);
  const [shown = '', word] = (container.textContent ?? '').split(' ');
  expect(word).toBe(riskBandOf(level).label);
  expect(word).toBe(riskBandOf(Number(shown)).label);
});

const nodeOf = (kind: GraphKind, value: number): GraphNode => ({
  _id: 'a',
  kind,
  name: 'Flood',
  score: kind === 'threat' ? value / 10 : value,
  riskLevel: kind === 'threat' ? value : null,
  centre: false,
});

it.each(
  (['vulnerability', 'threat', 'asset'] as const).flatMap((kind) => {
    const { bands, most } = graphKinds[kind];
    return [...bands.map(({ from }) => from), most]
      .flatMap(around)
      .filter((value) => value >= 0 && value <= most)
      .map((value) => [kind, value] as const);
  }),
)('the number that a graph shows for a %s of %d belongs to the band of its color', (kind, value) => {
  const node = nodeOf(kind, value);
  expect(bandOf(nodeOf(kind, Number(valueText(node))))).toBe(bandOf(node));
});

it.each(scores)('the graph shows severity %d as the badge of the page and the lists does', (score) => {
  const { container } = render(<SeverityBadge score={score} />);
  const node = nodeOf('vulnerability', score);
  expect(`${valueText(node)} ${bandOf(node).label}`).toBe(container.textContent);
});

it.each(levels)(
  'the graph shows the number of risk level %d as the badge of the page and the lists does',
  (level) => {
    const { container } = render(<RiskBadge level={level} />);
    expect(container.textContent?.split(' ')[0]).toBe(valueText(nodeOf('threat', level)));
  },
);

it('a missing score is shown as N/A', () => {
  expect(render(<SeverityBadge score={null} />).container.textContent).toBe('N/A');
});
