import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';

/** How long no request may be in flight. */
const quietMs = 200;

/**
 * Waits until a page has no request in flight and no longer changes, also after a route that was opened without loading the page, which
 * Playwright's load state does not observe. Call it before the page makes requests.
 */
export function watchNetwork(page: Page): () => Promise<void> {
  const inFlight = new Set<unknown>();
  let changedAt = Date.now();
  const changed = () => (changedAt = Date.now());
  page.on('request', (request) => inFlight.add(request) && changed());
  for (const event of ['requestfinished', 'requestfailed'] as const)
    page.on(event as 'requestfinished', (request) => {
      inFlight.delete(request);
      changed();
    });
  return async () => {
    changed();
    while (inFlight.size > 0 || Date.now() - changedAt < quietMs) await sleep(20);
    await page.waitForFunction(documentUnchanged, quietMs);
  };
}

/** Runs in the page: resolves when its document has not changed for as long. */
function documentUnchanged(quiet: number): Promise<true> {
  return new Promise((resolve) => {
    const done = () => {
      observer.disconnect();
      resolve(true);
    };
    let timer = setTimeout(done, quiet);
    const observer = new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(done, quiet);
    });
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  });
}
