import type { Page } from 'playwright-core';

/** What TanStack Router offers on the window. */
interface Router {
  history: { push: (href: string, state: object, options: { ignoreBlocker: boolean }) => void };
  state: { status: string; resolvedLocation?: { href: string } };
}

/** Opened between two visits of one page: changing only the query would keep its state. A page with few parts and calls. */
const between = '/dashboard/settings/profile';

const pathOf = (route: string): string => route.split('?')[0] ?? route;

/** Opens a page of the open application, and waits until the router has shown it. */
async function push(page: Page, route: string): Promise<void> {
  await page.evaluate((href) => {
    const { __TSR_ROUTER__: router } = window as unknown as { __TSR_ROUTER__: Router };
    router.history.push(href, {}, { ignoreBlocker: true });
  }, route);
  await page.waitForFunction((path) => {
    const { __TSR_ROUTER__: router } = window as unknown as { __TSR_ROUTER__: Router };
    const { state } = router;
    const shown = state.resolvedLocation?.href.split('?')[0];
    return state.status === 'idle' && (shown === path || location.pathname !== path);
  }, pathOf(route));
}

/**
 * Opens a page of the application as a click on a link does, without loading the application again, which takes more than
 * a second of CPU time. Unsaved changes are discarded. Loads the page when the application is not open, when `between` is
 * opened again, and for addresses outside of the dashboard.
 */
export async function openRoute(page: Page, origin: string, route: string): Promise<void> {
  const shown = page.url();
  const isInside = shown.startsWith(`${origin}/dashboard`) && route.startsWith('/dashboard');
  const isShown = isInside && new URL(shown).pathname === pathOf(route);
  if (!isInside || (isShown && pathOf(route) === between)) {
    await page.goto(`${origin}${route}`);
    return;
  }
  if (isShown) await push(page, between);
  await push(page, route);
}
