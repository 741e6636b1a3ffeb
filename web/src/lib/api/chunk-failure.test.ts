import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepPageWhileUnreachable } from './chunk-failure.ts';
import { liveState } from '../live/live-state.ts';

const browsersWords = 'Failed to fetch dynamically imported module: http://localhost/assets/page.js';
const ourWords = 'Riskboard cannot be reached. Check your connection.';

let stop: () => void;
beforeEach(() => {
  stop = keepPageWhileUnreachable();
});
afterEach(() => {
  stop();
  liveState.set('reconnecting');
  history.replaceState(null, '', '/');
  vi.restoreAllMocks();
});

/** The message that the router reads after the code of a page has failed to load. */
function wordsAfterFailure(): string {
  const payload = new Error(browsersWords);
  dispatchEvent(Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload }));
  return payload.message;
}

test.each(['reconnecting', 'offline'] as const)('while %s, the page stays and shows the reason', (state) => {
  history.replaceState(null, '', '/dashboard/threats');
  liveState.set(state);
  expect(wordsAfterFailure()).toBe(ourWords);
});

test('while the server answers, the router may reload to get the new version', () => {
  history.replaceState(null, '', '/dashboard/threats');
  liveState.set('live');
  expect(wordsAfterFailure()).toBe(browsersWords);
});

test('before the login, the browser decides whether there is a network', () => {
  history.replaceState(null, '', '/signup');
  expect(wordsAfterFailure()).toBe(browsersWords);
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  expect(wordsAfterFailure()).toBe(ourWords);
});
