import { join } from 'node:path';
import { runQuietly } from './command.mjs';
import { root } from './paths.mjs';
import { isCurrent, stamp } from './stamp.mjs';

/** Inside Vite's output folder, which a build empties first, so a failed build leaves no stamp. */
const stampFile = 'web/dist/.riskboard-build';

const inputs = ['web', 'packages/domain/src', 'packages/contract/src', 'pnpm-lock.yaml'];

/** Builds the web when its sources or their imports have changed. */
export async function buildWeb() {
  if (isCurrent(stampFile, inputs)) return;
  process.stdout.write('Building the web…\n');
  await runQuietly('Building the web', join(root, '.tools/bin/pnpm'), ['run', 'build']);
  // After the build, because the router plugin may rewrite the route tree.
  stamp(stampFile, inputs);
}
