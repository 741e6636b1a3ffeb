import { vi } from 'vitest';

/** The waits of Vitest as they are before `wait-longer.ts` replaces them. */
export const { waitFor, waitUntil } = vi;
