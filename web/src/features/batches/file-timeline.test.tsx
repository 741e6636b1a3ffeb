import type { BatchAttempt } from '@riskboard/contract';
import { render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { batchFileOf } from '../../testing/batches.ts';
import { FileTimeline } from './file-timeline.tsx';

afterEach(() => vi.useRealTimers());

const at = (seconds: number): string =>
  new Date(Date.parse('2026-11-20T10:00:00.000Z') + seconds * 1000).toISOString();
const attempt = (change: Partial<BatchAttempt> = {}): BatchAttempt => ({
  step: 'read',
  attempt: 1,
  startedAt: at(5),
  endedAt: at(15),
  outcome: 'succeeded',
  message: null,
  ...change,
});
const labels = (): string[] => screen.getByRole('img').getAttribute('aria-label')?.split('; ') ?? [];

test('a file has one axis of the time it was queued, read and extracted', () => {
  const attempts = [attempt(), attempt({ step: 'extract', startedAt: at(15), endedAt: at(20) })];
  render(<FileTimeline file={batchFileOf({ attempts })} />);
  expect(labels()).toEqual([
    'Queued for 5 s',
    'Read, attempt 1: succeeded, 10 s',
    'Extract, attempt 1: succeeded, 5 s',
  ]);
  screen.getByText('20 s');
});

test('each attempt is a part of the axis, a failed one in another color, and their number is shown', () => {
  const attempts = [
    attempt({ outcome: 'lost', endedAt: at(10) }),
    attempt({ attempt: 2, startedAt: at(20), endedAt: at(30), outcome: 'retried' }),
    attempt({ attempt: 3, startedAt: at(30), endedAt: at(40) }),
  ];
  render(<FileTimeline file={batchFileOf({ attempts })} />);
  expect(labels()).toEqual([
    'Queued for 5 s',
    'Read, attempt 1: ended because its worker stopped, 5 s',
    'Queued for 10 s',
    'Read, attempt 2: failed and was tried again, 10 s',
    'Read, attempt 3: succeeded, 10 s',
  ]);
  expect(screen.getByRole('img').querySelectorAll('.bg-danger')).toHaveLength(2);
  screen.getByText(/3 attempts/u);
});

test('a running file shows the last update of its job', () => {
  const attempts = [attempt({ endedAt: null, outcome: null, startedAt: new Date().toISOString() })];
  const heartbeatAt = new Date(Date.now() - 61_000).toISOString();
  render(<FileTimeline file={batchFileOf({ state: 'running', heartbeatAt, attempts })} />);
  expect(labels().at(-1)).toMatch(/^Read, attempt 1: runs/u);
  screen.getByText(/last update 1 min/u);
});

test.each([
  ['that was read and waits for its extraction', 'running', attempt()],
  ['whose attempt is tried again', 'queued', attempt({ outcome: 'retried' })],
] as const)('a file %s is queued since then', (_what, state, ended) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(at(45)) });
  render(<FileTimeline file={batchFileOf({ state, attempts: [ended] })} />);
  expect(labels().slice(-2)).toEqual([expect.stringMatching(/^Read, attempt 1/u), 'Queued for 30 s']);
  screen.getByText('45 s');
});

test('the axis of a file in a paused batch ends with its last attempt', () => {
  render(<FileTimeline file={batchFileOf({ state: 'running', held: true, attempts: [attempt()] })} />);
  expect(labels()).toEqual(['Queued for 5 s', 'Read, attempt 1: succeeded, 10 s']);
  screen.getByText('15 s · paused');
});

test('a file that no worker has started is queued, and one that was refused has no axis', () => {
  render(<FileTimeline file={batchFileOf({ state: 'queued' })} />);
  expect(labels()).toHaveLength(1);
  expect(labels()[0]).toMatch(/^Queued for /u);
  render(<FileTimeline file={batchFileOf({ state: 'failed', fileId: null, report: 'refused' })} />);
  screen.getByText('–');
});
