import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { metricsOf } from '../../../testing/overview.ts';
import { MetricsAnnouncer } from './metrics-announcer.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const withSentence = (text: string) => metricsOf({ headline: [{ text, link: null, since: null }] });
const live = () => document.querySelector('[aria-live=polite]')?.textContent;
const wait = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

test('the first numbers are not announced; changed ones once, when they have settled', async () => {
  const { rerender } = render(<MetricsAnnouncer metrics={undefined} />);
  rerender(<MetricsAnnouncer metrics={withSentence('1 critical vulnerability is open')} />);
  await wait(10_000);
  expect(live()).toBe('');
  for (const count of [2, 3, 4]) {
    rerender(<MetricsAnnouncer metrics={withSentence(`${count} critical vulnerabilities are open`)} />);
    await wait(500);
    expect(live()).toBe('');
  }
  await wait(3000);
  expect(screen.getByText('Security status Poor. 4 critical vulnerabilities are open')).toBeDefined();
});
