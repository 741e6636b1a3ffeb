import { userEvent } from '@testing-library/user-event';
import { renderApp } from './render-app.tsx';

/** Opens the app at an address, with a person in front of it, who may drop files that a chooser would hide. */
export function visit(address: string) {
  const { router, queryClient } = renderApp(address);
  queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retry: false } });
  return { router, user: userEvent.setup({ applyAccept: false }) };
}
