import { QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { createQueryClient } from '../api/query-client.ts';
import { useSubmit } from './use-submit.ts';

/** What the browser runs between two clicks that it has queued: microtasks, but no timers. */
async function microtasks(): Promise<void> {
  for (let count = 0; count < 50; count += 1) await Promise.resolve();
}

const token = { name: 'Nightly upload', role: 'viewer', password: 'right', expiresInDays: 7 } as const;

test.each([
  ['at once', async () => undefined],
  ['before any timer has run', microtasks],
])('a form is sent once when it is submitted twice %s', async (_when, pause) => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  const send = vi.fn<(body: object) => Promise<void>>(() => new Promise(() => undefined));
  const { result } = renderHook(
    () =>
      useSubmit(
        (schemas) => schemas.tokens.create.body,
        send,
        () => undefined,
      ),
    {
      wrapper: ({ children }) => (
        <QueryClientProvider client={createQueryClient()}>{children}</QueryClientProvider>
      ),
    },
  );
  await vi.waitFor(() => expect(result.current).not.toBeNull());
  result.current.submit(token);
  await pause();
  result.current.submit(token);
  await vi.waitFor(() => expect(send).toHaveBeenCalled());
  expect(send).toHaveBeenCalledOnce();
});
