import { ApiError } from './call-errors.ts';

/** The server's text where it gave one, else the spec's (spec 8: fallbacks). */
export function messageOf(error: unknown, fallback: string): string {
  if (error instanceof ApiError && error.code === 'unknown') return fallback;
  if (error instanceof Error && error.message !== '') return error.message;
  return fallback;
}
