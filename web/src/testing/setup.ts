import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

// jsdom lays nothing out and scrolls nowhere.
window.scrollTo = () => undefined;
