import { join } from 'node:path';
import { runQuietly } from './command.mjs';
import { root } from './paths.mjs';
import { hashOf, isStamped, stamp } from './stamp.mjs';

/** Vite empties its folder first, so a build that fails leaves no stamp. */
const stampFile = 'web/dist/.riskboard-build';

const inputs = ['web', 'packages/domain/src', 'packages/contract/src', 'pnpm-lock.yaml'];

/** Builds the web when it or what it imports has changed. */
export async function buildWeb() {
  if (isStamped(stampFile, hashOf(inputs))) return;
  process.stdout.write('Building the web…\n');
  await runQuietly('Building the web', join(root, '.tools/bin/pnpm'), ['run', 'build']);
  // Only now: the router's plugin may have rewritten its route tree.
  stamp(stampFile, hashOf(inputs));
}
