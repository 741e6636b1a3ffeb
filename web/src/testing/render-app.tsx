import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { render, waitFor } from '@testing-library/react';
import { userEvent, type UserEvent } from '@testing-library/user-event';
import { App } from '../app.tsx';
import { expect } from 'vitest';
import { createQueryClient } from '../lib/api/query-client.ts';
import { liveState } from '../lib/live/live-state.ts';
import { createAppRouter } from '../router.tsx';

/** Renders the whole app at an address. */
export function renderApp(address: string) {
  const queryClient = createQueryClient();
  const router = createAppRouter(queryClient, createMemoryHistory({ initialEntries: [address] }));
  render(<App router={router} queryClient={queryClient} />);
  return { router, queryClient };
}

/** A user without pauses between key presses, who can also choose files that the file dialog would filter out. */
export const setupUser = (): UserEvent => userEvent.setup({ applyAccept: false, delay: null });

/** Renders the whole app at an address, with a user, and without retries of failed calls. */
export function visit(address: string) {
  const { router, queryClient } = renderApp(address);
  queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retry: false } });
  /** Waits until the socket is open and everything that it refetched has arrived. */
  const connected = () =>
    waitFor(() => {
      expect(liveState.get()).toBe('live');
      expect(queryClient.isFetching()).toBe(0);
    });
  return { router, queryClient, user: setupUser(), connected };
}

/** Replaces the text of a field in one step, because each key press rerenders a large page. */
export async function fill(user: UserEvent, field: HTMLElement, text: string): Promise<void> {
  await user.clear(field);
  await user.paste(text);
}

/** Renders a part of a page with a router and an empty cache, without the app around it. */
export function renderPart(part: ReactNode) {
  const queryClient = createQueryClient();
  queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retry: false } });
  const router = createRouter({
    routeTree: createRootRoute({ component: () => part }),
    history: createMemoryHistory(),
  });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  return { router, queryClient, user: setupUser() };
}
