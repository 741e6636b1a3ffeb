import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitWithError } from './machine.mjs';
import { root } from './paths.mjs';

const file = join(root, '.env');

/** The first bytes of UTF-8 with a byte order mark and of UTF-16, as editors of Windows write them. */
const marks = ['efbbbf', 'fffe', 'feff'];

/** Arguments with which Node reads `.env`. A mark would become part of the name of the first variable, or hide all of them. */
export function settingsArguments() {
  // Node's `--env-file-if-exists` prints a line on every start without the file.
  if (!existsSync(file)) return [];
  const beginning = readFileSync(file).subarray(0, 3).toString('hex');
  if (marks.some((mark) => beginning.startsWith(mark)))
    exitWithError('.env begins with a byte order mark: save it as UTF-8 without one.', 78);
  return ['--env-file=.env'];
}
