import { overview } from '@riskboard/contract';
import { screen, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderPart } from '../../../testing/render-app.tsx';
import { counted, refusal, useServer, type ReceivedCall } from '../../../testing/server.ts';
import type { History } from '../queries.ts';
import type { RiskHistorySearch } from '../risk-history-search.ts';
import { HistorySection } from './history-section.tsx';

useServer();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T23:30:00Z') });
  return () => vi.useRealTimers();
});

const day = (date: string, score: number, exposure: number | null) => ({
  date,
  score,
  totalThreats: 5,
  openVulnerabilities: 1200,
  newVulnerabilities: 2,
  assetsAtRisk: score - 40,
  exposure,
});

const history: History = {
  days: [day('2026-11-19', 42, 6.126), day('2026-11-20', 42, null), day('2026-11-22', 44, 6.001)],
  weeks: [
    { week: '2026-11-09', found: 3, resolved: 1, net: -2, fixed: 0, p50: null, p95: null },
    { week: '2026-11-16', found: 1, resolved: 4, net: 3, fixed: 4, p50: 3.5, p95: 12 },
  ],
  recomputedAt: '2026-11-22T12:05:00.000Z',
  firstRecordedDay: '2026-11-19',
};

function Page({ start }: { start: RiskHistorySearch }) {
  const [search, setSearch] = useState<Record<string, unknown>>({ ...start });
  return <HistorySection search={search} onSearch={(change) => setSearch({ ...search, ...change })} />;
}

function show(reply: (call: ReceivedCall) => History | Response, start: RiskHistorySearch = {}) {
  const urls: URL[] = [];
  counted(overview.history, (call) => {
    urls.push(call.url);
    return reply(call);
  });
  return { ...renderPart(<Page start={start} />), urls };
}

const cells = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].map((cell) => cell.textContent));
const region = (name: string) => screen.findByRole('region', { name });

it('each chart has a table, newest first, in which a day without a record says so', async () => {
  show(() => history);
  expect(cells(await screen.findByRole('table', { name: 'Overall risk score' }))).toEqual([
    ['Day', 'Overall risk score'],
    ['Nov 22, 2026', '44'],
    ['Nov 21, 2026', 'Not recorded'],
    ['Nov 20, 2026', '42'],
    ['Nov 19, 2026', '42'],
  ]);
  expect(cells(screen.getByRole('table', { name: 'Risk exposure' }))[3]).toEqual([
    'Nov 20, 2026',
    'No open vulnerability',
  ]);
  expect(cells(screen.getByRole('table', { name: 'Counts' })).slice(0, 2)).toEqual([
    ['Day', 'Total threats', 'Open vulnerabilities', 'New vulnerabilities', 'Assets at risk'],
    ['Nov 22, 2026', '5', '1,200', '2', '4'],
  ]);
  expect(cells(screen.getByRole('table', { name: 'Days to remediate' }))).toEqual([
    ['Week', 'Half are fixed within (p50)', '95% are fixed within (p95)', 'Fixed'],
    ['Week of Nov 16, 2026', '3.5', '12', '4'],
    ['Week of Nov 9, 2026', 'No fix', 'No fix', '0'],
  ]);
  expect(cells(screen.getByRole('table', { name: 'Found and resolved' }))[1]).toEqual([
    'Week of Nov 16, 2026',
    '1',
    '4',
    '−3',
  ]);
});

it('gaps are named below the chart, with the first recorded day and the time zone above', async () => {
  show(() => history);
  const chart = await region('Overall risk score');
  expect(await within(chart).findByText('Not recorded: Nov 21, 2026.')).toBeDefined();
  expect(screen.getByText('Recorded since Nov 19, 2026. Days and weeks are UTC.')).toBeDefined();
  expect(
    screen.getByText(
      'Found 4, resolved 5: 1 fewer is open than before. Resolved: fixed, mitigated, accepted or deleted, less the reopened ones.',
    ),
  ).toBeDefined();
});

it('the exposure says that it is as recorded, and the days to remediate when they were calculated', async () => {
  show(() => history);
  const [exposure, remediation] = [await region('Risk exposure'), await region('Days to remediate')];
  expect(await within(exposure).findByText(/^As recorded on each day\./u)).toBeDefined();
  expect(
    within(remediation).getByText(
      /As of Nov 22, 2026, .+; recalculated daily and after changes of many records\.$/u,
    ),
  ).toBeDefined();
  expect(screen.getByText(/As recorded at the end of each day, in UTC\./u)).toBeDefined();
});

it('days to remediate that were never calculated say when they are', async () => {
  show(() => ({ ...history, recomputedAt: null }));
  const remediation = await region('Days to remediate');
  expect(
    await within(remediation).findByText(/Calculated daily and after changes of many records\.$/u),
  ).toBeDefined();
});

it('the range is 90 days until another one is chosen; All has no first day', async () => {
  const { user, urls } = show(() => history);
  await screen.findByRole('table', { name: 'Overall risk score' });
  const range = screen.getByRole('radiogroup', { name: 'Range of the history' });
  expect(within(range).getByRole('radio', { name: '90 days' }).getAttribute('aria-checked')).toBe('true');
  for (const name of ['30 days', '1 year', 'All'])
    await user.click(within(range).getByRole('radio', { name }));
  await vi.waitFor(() => expect(urls.map(({ searchParams }) => searchParams.get('from'))).toContain(null));
  const firsts = urls.map(({ searchParams }) => searchParams.get('from'));
  expect(firsts).toEqual(expect.arrayContaining(['2026-08-24', '2026-10-23', '2025-11-22', null]));
});

it('two dates are compared number by number, with the difference and whether it is good', async () => {
  show(() => history, { from: '2026-11-19', to: '2026-11-22' });
  const rows = cells(await screen.findByRole('table', { name: 'Two dates side by side' }));
  expect(rows).toEqual([
    ['Number', 'Nov 19, 2026', 'Nov 22, 2026', 'Difference'],
    ['Overall risk score', '42', '44', '+2Worse'],
    ['Total threats', '5', '5', '0Same'],
    ['Open vulnerabilities', '1,200', '1,200', '0Same'],
    ['New vulnerabilities', '2', '2', '0Same'],
    ['Assets at risk', '2', '4', '+2Worse'],
    ['Risk exposure', '6.13', '6.00', '−0.13Better'],
  ]);
});

it.each([
  [0.045, 0.055, ['0.05', '0.06', '+0.01Worse']],
  [4.035, 4.034, ['4.04', '4.03', '−0.01Better']],
  [4.044, 4.036, ['4.04', '4.04', '0.00Same']],
])('the difference of the exposures %d and %d is that of the shown numbers', async (before, after, texts) => {
  const days = [day('2026-11-19', 42, before), day('2026-11-22', 42, after)];
  show(() => ({ ...history, days }), { from: '2026-11-19', to: '2026-11-22' });
  const rows = cells(await screen.findByRole('table', { name: 'Two dates side by side' }));
  expect(rows.at(-1)).toEqual(['Risk exposure', ...texts]);
});

it('the name of a compared number opens its explanation', async () => {
  const onSearch = vi.fn<(change: object) => void>();
  counted(overview.history, () => history);
  const { user } = renderPart(<HistorySection search={{}} onSearch={onSearch} />);
  await user.click(await screen.findByRole('button', { name: 'Risk exposure' }));
  expect(onSearch).toHaveBeenCalledWith({ explain: 'riskExposure' });
});

it('a date without a record shows that it is not recorded and no difference', async () => {
  show(() => history, { from: '2026-11-18', to: '2026-11-20' });
  const rows = cells(await screen.findByRole('table', { name: 'Two dates side by side' }));
  expect(rows[1]).toEqual(['Overall risk score', 'Not recorded', '42', '–']);
  expect(rows.at(-1)).toEqual(['Risk exposure', 'Not recorded', 'None open', '–']);
});

it('one recorded day is too little for a chart, and the weeks without a fix say so', async () => {
  show(() => ({ ...history, days: history.days.slice(0, 1), weeks: [] }));
  expect(
    await screen.findAllByText('The numbers are recorded once a day. The chart needs two days.'),
  ).toHaveLength(3);
  expect(
    screen.getByText(/No vulnerability was fixed in this time\. As of Nov 22, 2026, .+; recalculated daily/u),
  ).toBeDefined();
  expect(screen.getByText('No vulnerability was found or resolved in this time.')).toBeDefined();
});

it('a failed load shows the text of the spec in each chart, and one Retry loads all of them', async () => {
  let failing = true;
  const { user } = show(() => (failing ? refusal('internal', 'Down.') : history));
  const chart = await region('Overall risk score');
  await within(chart).findByText('Failed to load chart data.');
  failing = false;
  await user.click(within(chart).getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('table', { name: 'Overall risk score' })).toBeDefined();
  expect(await screen.findByRole('table', { name: 'Found and resolved' })).toBeDefined();
});
