import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import type { AppRouter } from './router.tsx';
import { lazyPart } from './ui/layout/lazy-part.tsx';

const Toaster = lazyPart(async () => (await import('./ui/feedback/toaster.tsx')).Toaster, null, true);

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
        <Toaster />
      </QueryClientProvider>
    </CSPProvider>
  );
}
