import { graphSeverityOf, severityBandOf, severityBands } from '@riskboard/domain';
import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { bandOf, bandLabels } from '../graph/kinds.ts';
import { nodeLabel } from '../graph/model.ts';
import { SeverityBadge } from './badge.tsx';

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

it.each([4, 6, 8].flatMap(around))(
  'the number shown for a threat of %d in a graph belongs to the band of its label',
  (score) => {
    const node = { _id: 'a', kind: 'threat', name: 'Flood', score, centre: false } as const;
    const shown = Number(nodeLabel(node).split(' · ')[1]);
    expect(bandLabels[bandOf(node)].toLowerCase()).toBe(graphSeverityOf(shown * 10));
  },
);

it('a missing score is shown as N/A', () => {
  expect(render(<SeverityBadge score={null} />).container.textContent).toBe('N/A');
});
