import { accounts, overview } from '@riskboard/contract';
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderPart } from '../../../testing/render-app.tsx';
import { userOf } from '../../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../../testing/server.ts';
import type { Explanation } from '../queries.ts';
import { ExplanationDialog } from './explanation-dialog.tsx';

useServer();
beforeEach(() => server.use(answer(accounts.me, () => ({ user: userOf() }))));

const risk: Explanation = {
  metric: 'overallRisk',
  label: 'Overall Risk Score',
  value: 100,
  formula: 'min(100, round(2 × total threats + 3 × open vulnerabilities + …))',
  inputs: [
    { name: 'Total threats', value: 21, weight: 2, adds: 42, query: '/dashboard/threats' },
    {
      name: 'Open vulnerabilities',
      value: 20,
      weight: 3,
      adds: 60,
      query: '/dashboard/vulnerabilities?status=open',
    },
    { name: 'Assets at risk', value: 3, weight: 1.5, adds: 4.5, query: '/dashboard/assets?status=at-risk' },
    { name: 'Rounding', value: 0.5, adds: 0.5, query: null },
    { name: 'Limit of 100', value: -7, adds: -7, query: null },
  ],
  bands: [
    { label: 'High', rule: '60 or more', current: true },
    { label: 'Medium', rule: '30 to 59', current: false },
    { label: 'Low', rule: 'below 30', current: false },
  ],
  asOf: '2026-11-22T10:00:00.000Z',
};

const cells = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].map((cell) => cell.textContent));

async function open(reply: Explanation, onClose = vi.fn<() => void>()) {
  server.use(answer(overview.explain, () => reply));
  const { user } = renderPart(<ExplanationDialog metric={reply.metric} onClose={onClose} />);
  const dialog = await screen.findByRole('dialog', { name: 'Overall Risk Score' });
  await within(dialog).findByRole('region', { name: 'Value' });
  return { dialog, user, onClose };
}

it('the column Adds of the inputs, with rounding and limit as own lines, sums up to the number on screen', async () => {
  const { dialog } = await open(risk);
  const rows = cells(within(dialog).getByRole('table', { name: 'Inputs' }));
  expect(rows).toEqual([
    ['Input', 'Value', 'Each adds', 'Adds'],
    ['Total threats', '21', '2', '+42'],
    ['Open vulnerabilities', '20', '3', '+60'],
    ['Assets at risk', '3', '1.5', '+4.5'],
    ['Rounding', '', '', '+0.5'],
    ['Limit of 100', '', '', '−7'],
    ['Overall Risk Score', '100'],
  ]);
  const adds = rows.slice(1, -1).map((row) => Number(row.at(-1)?.replace('−', '-')));
  expect(adds.reduce((sum, one) => sum + one, 0)).toBe(Number(rows.at(-1)?.at(-1)));
});

it('parts of a count show their number and what they add or leave out', async () => {
  const part = (name: string, value: number, adds: number) => ({
    name,
    value,
    adds,
    query: '/dashboard/threats',
  });
  const { dialog } = await open({
    ...risk,
    value: 15,
    inputs: [part('Threats', 21, 21), part('Inactive threats', 6, -6)],
  });
  expect(cells(within(dialog).getByRole('table', { name: 'Inputs' }))).toEqual([
    ['Input', 'Value', 'Adds'],
    ['Threats', '21', '+21'],
    ['Inactive threats', '6', '−6'],
    ['Overall Risk Score', '15'],
  ]);
});

it('inputs that do not explain the whole number show the difference as a line', async () => {
  const { dialog } = await open({ ...risk, value: 97 });
  const rows = cells(within(dialog).getByRole('table', { name: 'Inputs' }));
  expect(rows.slice(-2)).toEqual([
    ['Not explained', '−3'],
    ['Overall Risk Score', '97'],
  ]);
});

it('each counted input opens its list, and the current band is marked', async () => {
  const { dialog } = await open(risk);
  expect(within(dialog).getByRole('link', { name: 'Open vulnerabilities' }).getAttribute('href')).toBe(
    '/dashboard/vulnerabilities?status=open',
  );
  expect(within(dialog).queryByRole('link', { name: 'Rounding' })).toBeNull();
  const bands = within(within(dialog).getByRole('region', { name: 'Bands' })).getAllByRole('listitem');
  expect(
    bands.map((band) => [band.textContent, band.ariaCurrent ?? band.getAttribute('aria-current')]),
  ).toEqual([
    ['High60 or moreCurrent', 'true'],
    ['Medium30 to 59', null],
    ['Lowbelow 30', null],
  ]);
  expect(within(dialog).getByRole('button', { name: 'Recount now' })).toBeDefined();
  expect(within(dialog).getByText(/As of/u).querySelector('time')?.dateTime).toBe(risk.asOf);
});

it('Escape closes the explanation', async () => {
  const { user, onClose } = await open(risk);
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
});

it.each([
  ['remediationRate', 200 / 3, 'Remediation Rate', '66.7%'],
  ['securityStatus', 'fair', 'Security Status', 'Fair'],
  ['estimatedImpact', 1_250_000, 'Estimated Impact', '$1.3M'],
  ['riskExposure', null, 'Risk Exposure', 'N/A'],
] as const)('the explanation of %s shows %s under the title %s as %s', async (metric, value, title, text) => {
  server.use(answer(overview.explain, () => ({ ...risk, metric, value, inputs: [], bands: [] })));
  renderPart(<ExplanationDialog metric={metric} onClose={() => undefined} />);
  const dialog = await screen.findByRole('dialog', { name: title });
  const shown = await within(dialog).findByRole('region', { name: 'Value' });
  expect(shown.firstElementChild?.firstElementChild?.textContent).toBe(text);
  expect(within(dialog).queryByRole('table')).toBeNull();
});

it('a failed load can be repeated', async () => {
  let failing = true;
  server.use(answer(overview.explain, () => (failing ? refusal('internal', 'Down.') : risk)));
  const { user } = renderPart(<ExplanationDialog metric="overallRisk" onClose={() => undefined} />);
  await screen.findByText('Failed to load the explanation.');
  failing = false;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('table', { name: 'Inputs' })).toBeDefined();
});
