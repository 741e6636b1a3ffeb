import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { countAxis, type Bar } from './bar-chart.ts';
import { BarChartCard } from './bar-chart-card.tsx';

const axis = { max: 10, tick: 2 };
const columns = ['Day', 'Risk score'] as const;
const query = { error: null, isFetching: false, refetch: vi.fn<() => void>() };
const bars: Bar[] = [
  { label: 'Nov 1', value: 2, color: 'green', text: '2 (Low)' },
  { label: 'Nov 2', value: null, color: 'unknown', text: 'Not recorded' },
];

test.each([
  [[], { max: 1, tick: 1 }],
  [[0, 3], { max: 3, tick: 1 }],
  [[7], { max: 8, tick: 2 }],
  [[41], { max: 50, tick: 10 }],
  [[100_000, 12], { max: 100_000, tick: 20_000 }],
  [[101], { max: 150, tick: 50 }],
])('the axis for counts %j has whole ticks, at most five, and reaches the largest', (values, expected) => {
  expect(countAxis(values)).toEqual(expected);
});

test('where the browser cannot measure SVG text, the table shows every bar', () => {
  render(<BarChartCard label="Risk trend" bars={bars} axis={axis} columns={columns} query={query} />);
  const rows = within(screen.getByRole('table', { name: 'Risk trend' })).getAllByRole('row');
  expect(rows.map((row) => [...row.children].map((cell) => cell.textContent))).toEqual([
    ['Day', 'Risk score'],
    ['Nov 1', '2 (Low)'],
    ['Nov 2', 'Not recorded'],
  ]);
});

test('a failed load shows the text of the spec, and Retry loads again', async () => {
  const refetch = vi.fn<() => void>();
  const failed = { error: new Error('The server does not answer.'), isFetching: false, refetch };
  render(<BarChartCard label="Risk trend" bars={undefined} axis={axis} columns={columns} query={failed} />);
  const alert = screen.getByRole('alert');
  expect(within(alert).getByText('Failed to load chart data.')).toBeDefined();
  await userEvent.click(within(alert).getByRole('button', { name: 'Retry' }));
  expect(refetch).toHaveBeenCalledOnce();
});

test('the empty text replaces the chart and its table', () => {
  render(
    <BarChartCard
      label="Risk trend"
      bars={bars}
      axis={axis}
      columns={columns}
      query={query}
      empty="One point"
    />,
  );
  expect(screen.getByText('One point')).toBeDefined();
  expect(screen.queryByRole('table')).toBeNull();
});
