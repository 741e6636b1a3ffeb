import type { Page } from 'playwright-core';

/** What TanStack Router offers on the window. */
interface Router {
  history: { push: (href: string, state: object, options: { ignoreBlocker: boolean }) => void };
  state: { status: string; resolvedLocation?: { href: string } };
}

/**
 * Opens a page of the application as a click on a link does, without loading the application again, which takes more than
 * a second of CPU time. Unsaved changes are discarded. Loads the page when the application is not open, when it shows this
 * page already, with any query, and for addresses outside of the dashboard.
 */
export async function openRoute(page: Page, origin: string, route: string): Promise<void> {
  const target = `${origin}${route}`;
  const { pathname } = new URL(target);
  const shown = page.url();
  const isInside = shown.startsWith(`${origin}/dashboard`) && route.startsWith('/dashboard');
  if (!isInside || new URL(shown).pathname === pathname) {
    await page.goto(target);
    return;
  }
  await page.evaluate((href) => {
    const { __TSR_ROUTER__: router } = window as unknown as { __TSR_ROUTER__: Router };
    router.history.push(href, {}, { ignoreBlocker: true });
  }, route);
  await page.waitForFunction((path) => {
    const { __TSR_ROUTER__: router } = window as unknown as { __TSR_ROUTER__: Router };
    const { state } = router;
    const shown = state.resolvedLocation?.href.split('?')[0];
    return state.status === 'idle' && (shown === path || location.pathname !== path);
  }, pathname);
}
