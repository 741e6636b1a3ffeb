import { vi } from 'vitest';
import { waitFor, waitUntil } from './original-waits.ts';
import { waitMs } from './wait-ms.ts';

interface WaitOptions {
  timeout?: number;
  interval?: number;
}

/** Vitest waits 1 s by default and has no setting for it: on a loaded machine, a connection to the database takes longer. */
const withDefault = (options: number | WaitOptions = {}): WaitOptions => ({
  timeout: waitMs,
  ...(typeof options === 'number' ? { timeout: options } : options),
});

// Vitest loads this file for each test file, but its imports once per process, so that these calls do not nest.
vi.waitFor = (callback, options) => waitFor(callback, withDefault(options));
vi.waitUntil = (callback, options) => waitUntil(callback, withDefault(options));
