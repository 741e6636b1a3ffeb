import { render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { SeriesChartCard } from './series-chart-card.tsx';
import { drawnPoints, isolatedPoints, toggled, withoutHidden, type SeriesChart } from './series-chart.ts';

const chart: SeriesChart = {
  kind: 'line',
  points: [
    { label: 'Nov 1', name: 'Nov 1, 2026' },
    { label: 'Nov 2', name: 'Nov 2, 2026' },
  ],
  series: [
    { name: 'Score', color: 'accent', values: [4, null], texts: ['4', 'Not recorded'] },
    { name: 'Fixed', color: 'muted', values: [1, 2], texts: ['1', '2'], tableOnly: true },
  ],
  axis: { max: 10, tick: 2 },
};
const query = { error: null, isFetching: false, refetch: () => undefined };

test('a value between two gaps is isolated and gets a dot, because a line through one point is not visible', () => {
  expect(isolatedPoints([1, null, 2, 3, null, 4])).toEqual([0, 5]);
  expect(isolatedPoints([1, 2])).toEqual([]);
  expect(isolatedPoints([null])).toEqual([]);
  expect(drawnPoints([1, null, 2, 3])).toEqual([0, 2, 3]);
});

test('a hidden series is not drawn and the axis fits the others; the last one cannot be hidden', () => {
  const axisOf: SeriesChart['axisOf'] = (shown) => ({ max: 10 * shown.length, tick: 1 });
  const many = { ...chart, series: [...chart.series, { ...chart.series[0]!, name: 'Threats' }], axisOf };
  const shown = withoutHidden(many, ['Threats']);
  expect(shown.series.map(({ name }) => name)).toEqual(['Score']);
  expect(shown.axis).toEqual({ max: 10, tick: 1 });
  expect(withoutHidden(chart, ['Score'])).toBe(chart);
  expect(toggled([], 'Threats', ['Score', 'Threats'])).toEqual(['Threats']);
  expect(toggled(['Threats'], 'Threats', ['Score', 'Threats'])).toEqual([]);
  expect(toggled(['Threats'], 'Score', ['Score', 'Threats'])).toEqual([]);
});

test('the table has all series, newest first, and the text of a missing value', () => {
  render(<SeriesChartCard label="History" chart={chart} pointLabel="Day" query={query} note="A note" />);
  const rows = within(screen.getByRole('table', { name: 'History' })).getAllByRole('row');
  expect(rows.map((row) => [...row.children].map((cell) => cell.textContent))).toEqual([
    ['Day', 'Score', 'Fixed'],
    ['Nov 2, 2026', 'Not recorded', '2'],
    ['Nov 1, 2026', '4', '1'],
  ]);
  expect(screen.getByText('A note')).toBeDefined();
});
