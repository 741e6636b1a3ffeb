import { createMemoryHistory } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import { App } from '../app.tsx';
import { createQueryClient } from '../lib/api/query.ts';
import { createAppRouter } from '../router.tsx';

/** Renders the whole app at an address. */
export function renderApp(address: string) {
  const queryClient = createQueryClient();
  const router = createAppRouter(queryClient, createMemoryHistory({ initialEntries: [address] }));
  render(<App router={router} queryClient={queryClient} />);
  return { router, queryClient };
}
