import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// Pages come in pieces, and the first of a run waits for its code to be compiled.
configure({ asyncUtilTimeout: 5000 });

afterEach(() => {
  cleanup();
  localStorage.clear();
});

// jsdom lays nothing out and scrolls nowhere.
window.scrollTo = () => undefined;
Element.prototype.scrollIntoView = () => undefined;

/** Nothing changes its size where nothing is laid out. */
class StillObserver implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
window.ResizeObserver ??= StillObserver;
