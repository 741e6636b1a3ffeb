import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Path of the repository. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The built programs of `npm start`, relative to the repository. */
export const programFolder = 'node_modules/.cache/riskboard-programs';

/** Addresses of this machine: calls to them must not go through the proxy that NODE_USE_ENV_PROXY=1 uses for all others. */
const direct = ['localhost', '127.0.0.1', '::1', process.env.HOST, process.env.NO_PROXY, process.env.no_proxy]
  .filter(Boolean)
  .join(',');

/**
 * Environment variables with the pinned Node and pnpm first in `PATH`. Each process then starts with the compiled code of
 * an earlier start, in about half the CPU time; a folder that cannot be written is ignored.
 */
export const environment = {
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/riskboard-compiled'),
  ...process.env,
  NO_PROXY: direct,
  no_proxy: direct,
  PATH: [join(root, 'node_modules/.bin'), join(root, '.tools/bin'), process.env.PATH].join(delimiter),
};
