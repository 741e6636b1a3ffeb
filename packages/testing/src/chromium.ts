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
 * The path of Chromium: `TEST_CHROMIUM`, else the first in `PATH`, else null, which the closing lines of `npm test`
 * report. Use with `describe.skipIf(chromium === null)`. @throws when `CI` is `true` and there is no Chromium
 */
export function chromiumPath(): string | null {
  const given = process.env[variable];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = given ? [given] : names.flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = candidates.find(isProgram);
  if (found !== undefined) return found;
  reportMissing('Chromium', given ? `${variable} is not an executable file` : 'not found in PATH');
  return null;
}
