import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// The first page of a run waits for its lazily imported code to be compiled.
configure({ asyncUtilTimeout: 5000 });

afterEach(() => {
  cleanup();
  localStorage.clear();
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
