import { overview, type ServerMessage } from '@riskboard/contract';
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { answerDashboard } from '../../../testing/dashboard.ts';
import { fakeApi, type FakeApi } from '../../../testing/fake-api.ts';
import { answerOverview, metricsOf } from '../../../testing/overview.ts';
import { visit } from '../../../testing/render-app.tsx';
import { counted, refusal, useServer } from '../../../testing/server.ts';

useServer();
// Each step searches the whole page by role, which is slow on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

let api: FakeApi;
beforeEach(() => {
  api = fakeApi();
  answerDashboard();
  answerOverview();
});

const open = () => visit('/dashboard/overview');
const region = async (name: string) => within(await screen.findByRole('region', { name }));
const withOpen = (value: number) =>
  metricsOf({
    asOf: new Date(Date.UTC(2026, 10, 22, 10) + value).toISOString(),
    openVulnerabilities: { ...metricsOf().openVulnerabilities, value },
  });
const categoriesOf = (value: number) => ({
  estimatedImpact: value,
  lastSynced: null,
  categories: [],
});

/** Two seconds of an extraction that sends a message every 100 ms, and the time until the last refetch. */
async function publishTwoSeconds(messageOf: (n: number) => ServerMessage): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    for (let n = 0; n < 20; n += 1) {
      api.publish(messageOf(n));
      await vi.advanceTimersByTimeAsync(100);
    }
    await vi.advanceTimersByTimeAsync(500);
  } finally {
    vi.useRealTimers();
  }
}

describe('a part of the overview that fails', () => {
  it('metrics: shows the text of the spec with Retry, and the charts stay', async () => {
    counted(overview.metrics, () => refusal('not_found'));
    const { user } = open();
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Failed to load metrics');
    expect(screen.queryByText('Loading the latest numbers…')).toBeNull();
    expect(await (await region('Risk Categories')).findByText('Input Validation')).toBeDefined();
    expect(screen.queryByText('No Critical Alerts')).toBeNull();
    answerOverview();
    await user.click(within(alert).getByRole('button', { name: 'Retry' }));
    expect(await (await region('Metrics')).findByText('1,284')).toBeDefined();
    expect(screen.queryByText('Failed to load metrics')).toBeNull();
  });

  it.each([
    ['Risk Categories', overview.riskCategories, 'Input Validation'],
    ['Risk Exposure Trend', overview.exposureTrend, '7.1 High'],
  ] as const)('%s: shows the text of the spec with its own Retry', async (name, endpoint, content) => {
    counted(endpoint, () => refusal('not_found'));
    const { user, connected } = open();
    // It loads when the page is idle, and its calls would be counted below.
    await region('History');
    await connected();
    const part = await region(name);
    expect(await part.findByText('Failed to load chart data.')).toBeDefined();
    expect(await (await region('Metrics')).findByText('1,284')).toBeDefined();
    answerOverview();
    const others = [overview.metrics, overview.riskCategories, overview.exposureTrend, overview.history]
      .filter((other) => other !== endpoint)
      .map((other) => counted(other, () => refusal('not_found')));
    await user.click(part.getByRole('button', { name: 'Retry' }));
    expect(await part.findByText(content)).toBeDefined();
    expect(others.map(({ times }) => times)).toEqual([0, 0, 0]);
    expect((await region('Metrics')).getByText('1,284')).toBeDefined();
  });

  it('metrics that cannot be updated stay on the screen with a notice', async () => {
    const { connected, queryClient } = open();
    await connected();
    counted(overview.metrics, () => refusal('not_found'));
    await queryClient.invalidateQueries({ queryKey: ['overview', 'metrics'] });
    expect((await screen.findByRole('alert')).textContent).toContain('may be out of date');
    expect((await region('Metrics')).getByText('1,284')).toBeDefined();
  });
});

describe('live changes', () => {
  it('a change of vulnerabilities fetches the numbers again, at most twice a second', async () => {
    let value = 1284;
    const calls = counted(overview.metrics, () => withOpen(value));
    await open().connected();
    const before = calls.times;
    value = 1290;
    await publishTwoSeconds(() => ({
      type: 'vulnerability.changed',
      count: 1,
      action: 'created',
      by: null,
    }));
    expect((await screen.findAllByText('1,290')).length).toBeGreaterThan(0);
    const fetched = calls.times - before;
    expect(fetched).toBeGreaterThan(0);
    expect(fetched).toBeLessThanOrEqual(4);
  });

  it('numbers that arrive in a message are shown at once, and the other parts are fetched at most twice a second', async () => {
    let impact = 1_000_000;
    counted(overview.metrics, () => withOpen(1300));
    const calls = counted(overview.riskCategories, () => categoriesOf(impact));
    await open().connected();
    const categories = await region('Risk Categories');
    expect(await categories.findByText('$1.0M')).toBeDefined();
    const before = calls.times;
    impact = 2_000_000;
    api.publish({ type: 'metrics.updated', metrics: withOpen(1400) });
    expect((await screen.findAllByText('1,400')).length).toBeGreaterThan(0);
    expect(calls.times).toBe(before);
    await publishTwoSeconds((n) => ({ type: 'metrics.updated', metrics: withOpen(1401 + n) }));
    expect((await screen.findAllByText('1,420')).length).toBeGreaterThan(0);
    expect(await categories.findByText('$2.0M')).toBeDefined();
    const fetched = calls.times - before;
    expect(fetched).toBeGreaterThan(0);
    expect(fetched).toBeLessThanOrEqual(5);
  });

  it('while a part is fetched again its numbers stay on the screen', async () => {
    let release: (() => void) | undefined;
    let isSlow = false;
    counted(overview.riskCategories, async () => {
      if (isSlow)
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      return categoriesOf(isSlow ? 2_000_000 : 1_000_000);
    });
    await open().connected();
    const categories = await region('Risk Categories');
    expect(await categories.findByText('$1.0M')).toBeDefined();
    isSlow = true;
    api.publish({ type: 'metrics.updated', metrics: withOpen(1400) });
    await vi.waitFor(() => expect(release).toBeDefined());
    expect(categories.getByText('$1.0M')).toBeDefined();
    expect(categories.queryByText('Failed to load chart data.')).toBeNull();
    release?.();
    expect(await categories.findByText('$2.0M')).toBeDefined();
  });
});
