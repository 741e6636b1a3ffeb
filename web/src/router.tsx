import type { QueryClient } from '@tanstack/react-query';
import { createRouter, type RouterHistory } from '@tanstack/react-router';
import { PageError, PageMissing, PagePending } from './features/shell/page-states.tsx';
import type { FormDraft } from './lib/entity/form-values.ts';
import { stringifySearch } from './lib/list/stringify-search.ts';
import { routeTree } from './routeTree.gen.ts';

/** The router over all files in routes/; `history` for tests. */
export const createAppRouter = (queryClient: QueryClient, history?: RouterHistory) =>
  createRouter({
    routeTree,
    stringifySearch,
    context: { queryClient },
    ...(history !== undefined && { history }),
    defaultPreload: 'intent',
    // React Query decides how old data may be.
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 150,
    defaultPendingMinMs: 0,
    defaultPendingComponent: PagePending,
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: PageMissing,
    scrollRestoration: true,
  });

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }

  /** What goes from page to page beside the address: no link can forge it, and no address bar shows it. */
  interface HistoryState {
    /** To the login page: why one is there, such as an ended session. */
    notice?: string;
    /** To `/`: the address whose password is forgotten, as far as it was typed. */
    forgotten?: string;
    /** To the form of a new record: what was entered before the server refused it. */
    draft?: FormDraft;
    /** Secret of a mailed link, taken out of the address. */
    linkToken?: string;
  }
}
