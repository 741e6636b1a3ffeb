import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The environment in which the pinned Node and pnpm are found first. */
export const environment = {
  ...process.env,
  PATH: [join(root, 'node_modules/.bin'), join(root, '.tools/bin'), process.env.PATH].join(delimiter),
};
