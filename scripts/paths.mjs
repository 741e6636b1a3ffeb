import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Path of the repository. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Environment variables with the pinned Node and pnpm first in `PATH`. */
export const environment = {
  ...process.env,
  PATH: [join(root, 'node_modules/.bin'), join(root, '.tools/bin'), process.env.PATH].join(delimiter),
};
