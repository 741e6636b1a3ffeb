import { cleanup, configure, prettyDOM } from '@testing-library/react';
import { afterEach, aroundEach, vi } from 'vitest';
import { waitMs } from '../../../packages/testing/src/wait-ms.ts';
import { abandonWaits } from '../lib/jobs/wait-for-job.ts';
import { forgetOwner } from '../lib/session/page-owner.ts';
import { runAsCurrent } from './current-test.ts';

configure({
  asyncUtilTimeout: waitMs,
  // The default appends the whole document, also to the errors of every poll of `findBy` and `waitFor`.
  getElementError: (message) =>
    Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' }),
});

const { setImmediate: immediate } = globalThis;

aroundEach((test, { task }) => runAsCurrent(task.name, test));

afterEach(async ({ task }) => {
  // oxlint-disable-next-line no-console -- shows the page of a failed test
  if (task.result?.state === 'fail') console.error(prettyDOM());
  cleanup();
  // Not by Vitest's settings, which restore before the next test: that may be the first of another file, and what the file
  // has replaced meanwhile, such as the `fetch` of the mocked network, would be lost.
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  // As after a reload of the page.
  abandonWaits();
  forgetOwner();
  localStorage.clear();
  sessionStorage.clear();
  // React's scheduler is one for all tests: work that it has scheduled ends before the next one adds its own.
  await new Promise<void>((resolve) => void immediate(resolve));
});

// jsdom has no layout, so it does not scroll.
window.scrollTo = () => undefined;
Element.prototype.scrollIntoView = () => undefined;

/** Without layout, no element changes its size. */
class NoopResizeObserver implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
window.ResizeObserver ??= NoopResizeObserver;

/** A wide screen without preferences. */
window.matchMedia ??= (media) =>
  ({
    media,
    matches: media.includes('min-width'),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }) as unknown as MediaQueryList;
