import { activity, assetEntity, assets, type AssetScore } from '@riskboard/contract';
import { AssetDetail } from '@riskboard/contract/schemas';
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { fakeApi } from '../../../testing/fake-api.ts';
import { assetOf } from '../../../testing/records.ts';
import { visit } from '../../../testing/render-app.tsx';
import { blankFields, newId } from '../../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../../testing/server.ts';

useServer();
beforeEach(() => void fakeApi());

const detail = AssetDetail.parse({
  ...blankFields(assetEntity),
  ...assetOf({ name: 'Mail gateway', riskScore: 4.3, threatCount: 1 }),
  parentAssets: [],
  parentAssetTotal: 0,
  relatedAssetTotal: 0,
  threats: [],
  vulnerabilities: [],
  createdBy: null,
  updatedBy: 'Ada',
});
const threatId = newId();
const score: AssetScore = {
  score: 4.3,
  formula: '(confidentiality + …) ÷ 3',
  inputs: {
    confidentialityLevel: 3,
    integrityLevel: null,
    availabilityLevel: 1,
    criticality: 4,
    threatCount: 1,
    vulnerabilityCount: 0,
  },
  contributions: [
    { part: 'confidentiality', what: 'Confidentiality', value: 3, adds: 1, _id: null },
    { part: 'integrity', what: 'Integrity', value: null, adds: 0, _id: null },
    { part: 'threat', what: 'Night Pilots', value: 85, adds: 0.167, _id: threatId },
    {
      part: 'vulnerability',
      what: 'Crane firmware',
      value: 9.8,
      adds: 0.233,
      _id: newId(),
      status: 'fixed',
    },
    { part: 'rounding', what: 'Rounding', value: null, adds: -0.034, _id: null },
  ],
  history: [
    {
      at: '2026-11-01T10:00:00.000Z',
      score: 4.1,
      cause: 'created',
      threatCount: 0,
      vulnerabilityCount: 0,
      by: 'Ada',
    },
    {
      at: '2026-11-02T00:10:00.000Z',
      score: 4.1,
      cause: 'daily',
      threatCount: 0,
      vulnerabilityCount: 0,
      by: '',
    },
    {
      at: '2026-11-03T10:00:00.000Z',
      score: 4.3,
      cause: 'threat-related',
      threatCount: 1,
      vulnerabilityCount: 0,
      by: '',
    },
  ],
  historyIsThinned: false,
};

async function open(reply: Parameters<typeof answer<typeof assets.score>>[1] = () => score) {
  server.use(
    answer(assets.get, () => detail),
    answer(assets.score, reply),
    answer(activity.list, () => ({
      activity: [],
      searchedSince: null,
      total: 0,
      page: 1,
      pageSize: 10,
      nextCursor: null,
    })),
  );
  const visited = visit(`/dashboard/assets/${detail._id}`);
  await screen.findByRole('heading', { level: 1, name: 'Mail gateway' });
  return visited;
}

const cells = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].map((cell) => cell.textContent));

it('the score of an asset opens its formula, what adds to it with links, and what changed it', async () => {
  const { user } = await open();
  await user.click(
    screen.getByRole('button', { name: /4\.3 Medium Risk: explain the risk score of Mail gateway/u }),
  );
  const dialog = await screen.findByRole('dialog', { name: 'How this score comes about' });
  expect(await within(dialog).findByText('(3 + 0 + 1 + 0.5 × 1 + 0.7 × 0 + 2 × 4) ÷ 3 → 4.3')).toBeDefined();
  expect(cells(within(dialog).getByRole('table', { name: 'Contributions' }))).toEqual([
    ['What', 'Value', 'Adds'],
    ['Confidentiality', '3 Confidential', '+1'],
    ['Integrity', 'N/A', '0'],
    ['Night Pilots', '85 High', '+0.167'],
    ['Crane firmware', '9.8 CriticalFixed', '+0.233'],
    ['RoundingThe score has one decimal, the lines above have three.', '', '-0.034'],
    ['Risk score', '4.3'],
  ]);
  expect(within(dialog).getByRole('link', { name: 'Night Pilots' }).getAttribute('href')).toBe(
    `/dashboard/threats/${threatId}`,
  );
  const history = cells(within(dialog).getByRole('table', { name: 'History' }));
  expect(history.map(([, ...rest]) => rest)).toEqual([
    ['Cause', 'Change', 'Score'],
    ['Threat related', '+0.2', '4.3'],
    ['Asset created · Ada', '', '4.1'],
  ]);
});

it('the risk trend shows the recorded scores', async () => {
  await open();
  const table = await screen.findByRole('table', { name: 'Risk trend' });
  expect(cells(table)).toEqual([
    ['Day', 'Risk score'],
    ['Nov 1, 2026', '4.1 Medium Risk'],
    ['Nov 2, 2026', '4.1 Medium Risk'],
    ['Nov 3, 2026', '4.3 Medium Risk'],
  ]);
});

it('the range of the risk trend shows only its days', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-12-02T12:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  const { user } = await open();
  const days = async () =>
    cells(await screen.findByRole('table', { name: 'Risk trend' })).map(([first]) => first);
  expect(await days()).toEqual(['Day', 'Nov 1, 2026', 'Nov 2, 2026', 'Nov 3, 2026']);
  const range = screen.getByRole('radiogroup', { name: 'Range of the risk trend' });
  await user.click(within(range).getByRole('radio', { name: '30 days' }));
  expect(await days()).toEqual(['Day', 'Nov 2, 2026', 'Nov 3, 2026']);
  await user.click(within(range).getByRole('radio', { name: '90 days' }));
  expect(await days()).toEqual(['Day', 'Nov 1, 2026', 'Nov 2, 2026', 'Nov 3, 2026']);
  expect(screen.getByText('Days are UTC.')).toBeDefined();
});

it('a range without two recorded days says so and keeps the choice of the range', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-01-31T12:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  const { user } = await open();
  await screen.findByRole('table', { name: 'Risk trend' });
  await user.click(screen.getByRole('radio', { name: '30 days' }));
  expect(await screen.findByText('No trend in this time.')).toBeDefined();
  await user.click(screen.getByRole('radio', { name: '1 year' }));
  expect(await screen.findByRole('table', { name: 'Risk trend' })).toBeDefined();
});

it('a trend of one day says what it needs instead of a chart', async () => {
  await open(() => ({ ...score, history: score.history.slice(0, 1) }));
  expect(await screen.findByText('No trend yet.')).toBeDefined();
});

it('a trend that cannot be loaded shows the text of the spec, and Retry loads it', async () => {
  let failing = true;
  const { user } = await open(() => (failing ? refusal('internal', 'Down.') : score));
  const alert = await screen.findByText('Failed to load chart data.');
  failing = false;
  await user.click(within(alert.parentElement as HTMLElement).getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('table', { name: 'Risk trend' })).toBeDefined();
});
