import { createMemoryHistory } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import { userEvent, type UserEvent } from '@testing-library/user-event';
import { App } from '../app.tsx';
import { createQueryClient } from '../lib/api/query-client.ts';
import { createAppRouter } from '../router.tsx';

/** Renders the whole app at an address. */
export function renderApp(address: string) {
  const queryClient = createQueryClient();
  const router = createAppRouter(queryClient, createMemoryHistory({ initialEntries: [address] }));
  render(<App router={router} queryClient={queryClient} />);
  return { router, queryClient };
}

/** Opens the app at an address, with a person in front of it, who may drop files that a chooser would hide. */
export function visit(address: string) {
  const { router, queryClient } = renderApp(address);
  queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retry: false } });
  return { router, user: userEvent.setup({ applyAccept: false }) };
}

/** Puts a text into a field in place of what it holds, at one go: the page around a form is large, each key costs. */
export async function fill(user: UserEvent, field: HTMLElement, text: string): Promise<void> {
  await user.clear(field);
  await user.paste(text);
}
