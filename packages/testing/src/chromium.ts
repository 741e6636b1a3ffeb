import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { reportMissing } from './missing.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'] as const;
const variable = 'TEST_CHROMIUM';

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The browser of this machine: `TEST_CHROMIUM`, else the first in the path, else null, and the closing lines say so:
 * `describe.skipIf(chromium === null)`. @throws where `CI` is `true` and there is none.
 */
export function chromiumPath(): string | null {
  const given = process.env[variable];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = given ? [given] : names.flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = candidates.find(isProgram);
  if (found !== undefined) return found;
  reportMissing('Chromium', given ? `${variable} names no program` : 'no such program on this machine');
  return null;
}
