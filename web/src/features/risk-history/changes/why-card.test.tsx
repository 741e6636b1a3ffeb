import { overview } from '@riskboard/contract';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { metricsQuery } from '../../../lib/overview/metrics-query.ts';
import { metricsOf } from '../../../testing/overview.ts';
import { renderPart } from '../../../testing/render-app.tsx';
import { counted, refusal, useServer, type ReceivedCall } from '../../../testing/server.ts';
import type { Changes } from '../queries.ts';
import type { RiskHistorySearch } from '../risk-history-search.ts';
import { WhyCard } from './why-card.tsx';

useServer();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T23:30:00Z') });
  return () => vi.useRealTimers();
});

const changes: Changes = {
  measure: 'risk',
  from: { date: '2026-10-23', score: 38 },
  to: { date: '2026-11-22', score: 44 },
  causes: [
    {
      code: 'open.found',
      label: 'Vulnerabilities found',
      delta: 9,
      count: 3,
      query: '/dashboard/vulnerabilities?createdAtMin=2026-10-24',
      listed: 2,
    },
    {
      code: 'at-risk.levels',
      label: 'Assets no longer at risk',
      delta: -3.5,
      count: 1,
      query: null,
      listed: null,
    },
    { code: 'rounding', label: 'Rounding', delta: 0.5, count: 0, query: null, listed: null },
  ],
  firstRecordedDay: '2026-06-01',
};

/** Reply with the dates of the call. */
const withDates =
  (reply: Changes) =>
  ({ url }: ReceivedCall): Changes => ({
    ...reply,
    measure: url.searchParams.get('measure') === 'exposure' ? 'exposure' : 'risk',
    from: { ...reply.from, date: url.searchParams.get('from') ?? '' },
    to: { ...reply.to, date: url.searchParams.get('to') ?? '' },
  });

/** The page, which keeps the parameters in its URL. */
function Page({ start }: { start: RiskHistorySearch }) {
  const [search, setSearch] = useState<Record<string, unknown>>({ ...start });
  return (
    <>
      <WhyCard search={search} onSearch={(change) => setSearch({ ...search, ...change })} />
      <output aria-label="URL">{JSON.stringify(search)}</output>
    </>
  );
}

function show(reply: (call: ReceivedCall) => Changes | Response, start: RiskHistorySearch = {}) {
  const urls: URL[] = [];
  counted(overview.changes, (call) => {
    urls.push(call.url);
    return reply(call);
  });
  return { ...renderPart(<Page start={start} />), urls };
}

const requested = ({ searchParams }: URL) => ['measure', 'from', 'to'].map((name) => searchParams.get(name));
const parameters = () => JSON.parse(screen.getByLabelText('URL').textContent ?? '') as RiskHistorySearch;
const cells = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].map((cell) => cell.textContent));

it('the signed causes lead exactly from one score to the other, with icon, sign and text, and open their rows', async () => {
  const { urls } = show(withDates(changes));
  const list = await screen.findByRole('list', { name: 'Causes' });
  expect(urls.map(requested)).toEqual([['risk', '2026-10-23', '2026-11-22']]);
  const rows = within(list).getAllByRole('listitem');
  expect(rows.map((row) => row.textContent)).toEqual([
    'Oct 23, 202638',
    'Vulnerabilities foundRaises the score · 3 records, 2 in the list+9',
    'Assets no longer at riskLowers the score · 1 record−3.5',
    'RoundingCalculation+0.5',
    'Nov 22, 2026, now44',
  ]);
  expect(rows.slice(1, -1).every((row) => row.querySelector('svg') !== null)).toBe(true);
  expect(within(list).getByRole('link', { name: 'Vulnerabilities found' }).getAttribute('href')).toBe(
    '/dashboard/vulnerabilities?createdAtMin=2026-10-24',
  );
  expect(
    screen.getByText('Overall risk score rose by 6, from 38 on Oct 23, 2026 to 44 on Nov 22, 2026, now.'),
  ).toBeDefined();
});

it('the table shows the score after each cause; the changes sum up to the difference', async () => {
  const { user } = show(withDates(changes));
  await screen.findByRole('list', { name: 'Causes' });
  await user.click(screen.getByRole('radio', { name: 'Table' }));
  const rows = cells(await screen.findByRole('table', { name: 'Causes of the change: Overall risk score' }));
  expect(rows).toEqual([
    ['Cause', 'Effect', 'Records', 'Change', 'Score'],
    ['Oct 23, 2026', '38'],
    ['Vulnerabilities found', 'Raises the score', '3, 2 in the list', '+9', '47'],
    ['Assets no longer at risk', 'Lowers the score', '1', '−3.5', '43.5'],
    ['Rounding', 'Calculation', '', '+0.5', '44'],
    ['Nov 22, 2026, now', '44'],
  ]);
});

it('a preset and the number are parameters of the URL, and change the call', async () => {
  const { user, urls } = show(withDates(changes));
  await screen.findByRole('list', { name: 'Causes' });
  await user.click(screen.getByRole('combobox', { name: 'Period' }));
  await user.click(await screen.findByRole('option', { name: 'Since Monday' }));
  await user.click(screen.getByRole('radio', { name: 'Exposure' }));
  await screen.findByText(/^Risk exposure rose by/u);
  expect(parameters()).toEqual({ since: 'monday', measure: 'exposure' });
  expect(urls.map(requested).at(-1)).toEqual(['exposure', '2026-11-16', '2026-11-22']);
});

it('two chosen dates are parameters of the URL; dates in the wrong order are refused without a call', async () => {
  const { urls } = show(withDates(changes), { from: '2026-11-01', to: '2026-11-10' });
  await screen.findByRole('list', { name: 'Causes' });
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-10-30' } });
  expect((await screen.findByRole('alert')).textContent).toBe('The first date must be before the second.');
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-10-01' } });
  await screen.findByText(/from 38 on Oct 1, 2026 to 44 on Oct 30, 2026\./u);
  expect(parameters()).toEqual({ from: '2026-10-01', to: '2026-10-30' });
  expect(urls.map(requested)).toEqual([
    ['risk', '2026-11-01', '2026-11-10'],
    ['risk', '2026-10-01', '2026-10-30'],
  ]);
});

it('without a change, the card says that the number is the same', async () => {
  show(withDates({ ...changes, to: { date: '', score: 38 }, causes: [] }));
  expect(await screen.findByText('No change')).toBeDefined();
  expect(screen.getByText('Overall risk score is the same on both dates: 38.')).toBeDefined();
});

it('a date before the recording says since when the numbers are recorded, and compares with that day', async () => {
  const late = { ...changes, from: { date: '', score: null }, causes: [], firstRecordedDay: '2026-11-20' };
  const { user } = show(
    (call) => withDates(call.url.searchParams.get('from') === '2026-11-20' ? changes : late)(call),
    { since: '90d' },
  );
  expect(await screen.findByText('Not recorded on Aug 24, 2026')).toBeDefined();
  expect(screen.getByText('The numbers are recorded since Nov 20, 2026.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Compare with Nov 20, 2026' }));
  expect(await screen.findByRole('list', { name: 'Causes' })).toBeDefined();
  expect(parameters()).toEqual({ from: '2026-11-20', to: '2026-11-22' });
});

it('a score before the first record is named as one without records, next to its causes', async () => {
  const { user } = show(withDates({ ...changes, firstRecordedDay: '2026-11-20' }));
  expect(
    await screen.findByText(
      'The numbers are recorded since Nov 20, 2026. Before, the score counts no records.',
    ),
  ).toBeDefined();
  expect(screen.getByRole('list', { name: 'Causes' })).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Compare with Nov 20, 2026' }));
  await screen.findByText(/from 38 on Nov 20, 2026/u);
  expect(screen.queryByText(/Before, the score counts no records/u)).toBeNull();
});

it('a part of the calculation, such as a changed formula, is neither good nor bad', async () => {
  const formula = {
    code: 'formula',
    label: 'Formula of the score changed',
    delta: 6,
    count: 0,
    query: null,
    listed: null,
  };
  show(withDates({ ...changes, causes: [formula] }));
  const rows = within(await screen.findByRole('list', { name: 'Causes' })).getAllByRole('listitem');
  expect(rows[1]?.textContent).toBe('Formula of the score changedCalculation+6');
});

it('an exposure without an open vulnerability is not reported as a missing record', async () => {
  show(withDates({ ...changes, from: { date: '', score: null }, causes: [] }), { measure: 'exposure' });
  expect(await screen.findByText('No score on Oct 23, 2026')).toBeDefined();
  expect(screen.getByText('No open vulnerability had a severity then.')).toBeDefined();
});

it('the days end with the day of the server where the clock of the browser is ahead', async () => {
  const { urls, queryClient } = show(withDates(changes));
  await screen.findByRole('list', { name: 'Causes' });
  expect(urls.map(requested).at(-1)).toEqual(['risk', '2026-10-23', '2026-11-22']);
  act(() => {
    queryClient.setQueryData(metricsQuery.queryKey, metricsOf({ asOf: '2026-11-21T20:00:00.000Z' }));
  });
  await screen.findByText(/on Nov 21, 2026, now/u);
  expect(urls.map(requested).at(-1)).toEqual(['risk', '2026-10-22', '2026-11-21']);
});

it('a failed load shows the text of the spec, and Retry loads it', async () => {
  let failing = true;
  const { user } = show((call) => (failing ? refusal('internal', 'Down.') : withDates(changes)(call)));
  await screen.findByText('Failed to load chart data.');
  failing = false;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('list', { name: 'Causes' })).toBeDefined();
});

it('a period that fails to load does not show the causes of the former one', async () => {
  const { user } = show((call) =>
    call.url.searchParams.get('from') === '2026-11-15'
      ? refusal('internal', 'Down.')
      : withDates(changes)(call),
  );
  await screen.findByRole('list', { name: 'Causes' });
  await user.click(screen.getByRole('combobox', { name: 'Period' }));
  await user.click(await screen.findByRole('option', { name: 'Last 7 days' }));
  expect(await screen.findByText('Failed to load chart data.')).toBeDefined();
  expect(screen.queryByRole('list', { name: 'Causes' })).toBeNull();
});
