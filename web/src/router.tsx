import type { QueryClient } from '@tanstack/react-query';
import { createRouter, type RouterHistory } from '@tanstack/react-router';
import { PageError, PageMissing, PagePending } from './features/shell/page-states.tsx';
import { followPagesWithFocus } from './lib/browser/page-focus.ts';
import type { FormDraft } from './lib/entity/form-values.ts';
import { keepOpenedAddress } from './lib/list/link-filters.ts';
import { parseSearch, stringifySearch } from './lib/list/search-string.ts';
import { routeTree } from './routeTree.gen.ts';

/** The router over all files in routes/; `history` for tests. */
export function createAppRouter(queryClient: QueryClient, history?: RouterHistory) {
  const router = createRouter({
    routeTree,
    parseSearch,
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
  keepOpenedAddress(router);
  followPagesWithFocus(router);
  return router;
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }

  /** Navigation state outside of the URL: a link cannot forge it, and the address bar does not show it. */
  interface HistoryState {
    /** For the login page and the dashboard: the reason for the redirect, such as an ended or another session. */
    notice?: string;
    /** For the login page: the email address of the account whose session has ended. */
    email?: string;
    /** For `/`: the email address typed on the login page. */
    forgotten?: string;
    /** For the form of a new record: the input that the server refused. */
    draft?: FormDraft;
    /** For the form of a new record: the page to show after it was sent, instead of the list. */
    returnTo?: '/dashboard/overview';
    /** Secret of a mailed link, removed from the URL. */
    linkToken?: string;
  }
}
