import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepPageWhileUnreachable } from './chunk-failure.ts';
import { liveState } from '../live/live-state.ts';

const browserMessage = 'Failed to fetch dynamically imported module: http://localhost/assets/page.js';
const ownMessage = 'Riskboard cannot be reached. Check your connection.';

let stop: () => void;
beforeEach(() => {
  stop = keepPageWhileUnreachable();
});
afterEach(() => {
  stop();
  liveState.set('reconnecting');
  history.replaceState(null, '', '/');
});

/** The message that the router reads after the code of a page has failed to load. */
function messageAfterFailure(): string {
  const payload = new Error(browserMessage);
  dispatchEvent(Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload }));
  return payload.message;
}

test.each(['reconnecting', 'offline'] as const)('while %s, the page stays and shows the reason', (state) => {
  history.replaceState(null, '', '/dashboard/threats');
  liveState.set(state);
  expect(messageAfterFailure()).toBe(ownMessage);
});

test('while the server answers, the router may reload to get the new version', () => {
  history.replaceState(null, '', '/dashboard/threats');
  liveState.set('live');
  expect(messageAfterFailure()).toBe(browserMessage);
});

test('before the login, the browser decides whether there is a network', () => {
  history.replaceState(null, '', '/signup');
  expect(messageAfterFailure()).toBe(browserMessage);
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  expect(messageAfterFailure()).toBe(ownMessage);
});
