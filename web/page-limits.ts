import type { Rolldown } from 'vite';

/**
 * Reports pages above a limit: as an error in `npm test`, which sets `PAGE_LIMITS=strict`, and as a warning elsewhere, so
 * that a page that is too large does not prevent the start of the product.
 */
export function reportLimit(build: Rolldown.PluginContext, message: string): void {
  if (process.env['PAGE_LIMITS'] === 'strict') build.error(message);
  build.warn(message);
}
