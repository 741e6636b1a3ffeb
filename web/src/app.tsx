import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { AppRouter } from './router.tsx';

const Toaster = lazy(async () => ({ default: (await import('./ui/feedback/toaster.tsx')).Toaster }));

interface AppProps {
  router: AppRouter;
  queryClient: QueryClient;
  /** Of this page's Content-Security-Policy; absent where none is served. */
  nonce?: string | undefined;
}

/** The whole app; tests render it with a router on a memory history. */
export function App({ router, queryClient, nonce }: AppProps) {
  return (
    <CSPProvider nonce={nonce}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Suspense>
          <Toaster />
        </Suspense>
      </QueryClientProvider>
    </CSPProvider>
  );
}
