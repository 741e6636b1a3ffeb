import { vi } from 'vitest';

const defaultTimeoutMs = 20_000;

/** Vitest waits 1 s by default, without a setting: on a loaded machine, a connection to the database alone takes longer. */
function withLongerDefault(name: 'waitFor' | 'waitUntil'): void {
  const inner = vi[name] as (callback: () => unknown, options: object) => Promise<unknown>;
  const waitLonger = (callback: () => unknown, options: number | object = {}): Promise<unknown> =>
    inner(callback, {
      timeout: defaultTimeoutMs,
      ...(typeof options === 'number' ? { timeout: options } : options),
    });
  Object.assign(vi, { [name]: waitLonger });
}

// Test files that share a process share `vi`, and this file is loaded for each of them.
const marked = vi as typeof vi & { waitsLonger?: true };
if (marked.waitsLonger === undefined) {
  marked.waitsLonger = true;
  withLongerDefault('waitFor');
  withLongerDefault('waitUntil');
}
