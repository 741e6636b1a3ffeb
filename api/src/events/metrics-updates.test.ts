import type { OverviewMetrics, ServerMessage } from '@riskboard/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mayChangeMetrics, metricsUpdates } from './metrics-updates.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function started() {
  const messages: ServerMessage[] = [];
  const errors: unknown[] = [];
  const state = { open: 0, reads: 0, read: async () => state.open };
  const updates = metricsUpdates(
    async () => {
      state.reads += 1;
      const value = await state.read();
      return { openVulnerabilities: { value }, asOf: `${state.reads}` } as unknown as OverviewMetrics;
    },
    (message) => void messages.push(message),
    (error) => void errors.push(error),
  );
  const values = () =>
    messages.map((message) =>
      message.type === 'metrics.updated' ? message.metrics.openVulnerabilities.value : message.type,
    );
  return { updates, state, values, errors };
}

describe('updates of the metrics', () => {
  it('are sent at most once a second, with the numbers after the last change', async () => {
    const { updates, state, values } = started();
    for (let n = 1; n <= 25; n += 1) {
      state.open = n;
      updates.changed();
      await vi.advanceTimersByTimeAsync(100);
    }
    await vi.advanceTimersByTimeAsync(5000);
    expect(state.reads).toBe(3);
    expect(values().at(-1)).toBe(25);
  });

  it('are not sent when no number changed', async () => {
    const { updates, state, values } = started();
    updates.changed();
    await vi.advanceTimersByTimeAsync(1000);
    updates.changed();
    await vi.advanceTimersByTimeAsync(1000);
    expect([state.reads, values()]).toEqual([2, [0]]);
  });

  it('read again after a change during a slow read, and after a failed one', async () => {
    const { updates, state, values, errors } = started();
    const slow = Promise.withResolvers<number>();
    state.read = () => slow.promise;
    updates.changed();
    await vi.advanceTimersByTimeAsync(1000);
    updates.changed();
    await vi.advanceTimersByTimeAsync(3000);
    expect(state.reads).toBe(1);
    state.read = async () => 7;
    slow.reject(new Error('connection lost'));
    await vi.advanceTimersByTimeAsync(1000);
    expect([values(), errors.length]).toEqual([[7], 1]);
  });

  it('end when the last socket of the organization leaves', async () => {
    const { updates, state } = started();
    updates.changed();
    updates.stop();
    await vi.advanceTimersByTimeAsync(2000);
    updates.changed();
    await vi.advanceTimersByTimeAsync(2000);
    expect(state.reads).toBe(0);
  });
});

it.each([
  [{ type: 'vulnerability.changed' }, true],
  [{ type: 'threat.changed' }, true],
  [{ type: 'asset.changed' }, true],
  [{ type: 'project.changed' }, true],
  [{ type: 'vignette.changed' }, false],
  [{ type: 'overview.changed' }, true],
  [{ type: 'job.updated', job: { kind: 'metrics.recompute', state: 'succeeded' } }, false],
  [{ type: 'job.updated', job: { kind: 'stix.parse', state: 'succeeded' } }, false],
])('the numbers may have changed after %j: %s', (message, expected) => {
  expect(mayChangeMetrics(message)).toBe(expected);
});
