import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { liveState } from '../../lib/live/live-state.ts';
import { PageError } from './page-states.tsx';

/** A page that fails while `fails` returns true. */
async function renderPage(fails: () => boolean) {
  function Page() {
    if (fails()) throw new Error('Riskboard cannot be reached.');
    return <p>Threats</p>;
  }
  const routeTree = createRootRoute({ component: Page, errorComponent: PageError });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  render(<RouterProvider router={router as never} />);
  await screen.findByText('Failed to show this page.');
}

test('a page that failed without a connection is retried when the connection returns', async () => {
  liveState.set('offline');
  let fails = true;
  await renderPage(() => fails);
  fails = false;
  act(() => liveState.set('live'));
  expect(await screen.findByText('Threats')).toBeTruthy();
});

test('a page that failed while connected is retried only by the Retry button', async () => {
  liveState.set('live');
  let tries = 0;
  await renderPage(() => {
    tries += 1;
    return true;
  });
  const before = tries;
  act(() => liveState.set('reconnecting'));
  act(() => liveState.set('live'));
  expect(screen.getByText('Failed to show this page.')).toBeTruthy();
  expect(tries).toBe(before);
});
