import { reportMissing } from './missing.ts';
import { isProgram, pathsOf } from './programs.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'] as const;
const variable = 'TEST_CHROMIUM';

/**
 * The path of Chromium: `TEST_CHROMIUM`, else the first in `PATH`, else null, which the closing lines of `npm test`
 * report. Use with `describe.skipIf(chromium === null)`. @throws when `CI` is `true` and there is no Chromium
 */
export function chromiumPath(): string | null {
  const given = process.env[variable];
  const found = (given ? [given] : names.flatMap(pathsOf)).find(isProgram);
  if (found !== undefined) return found;
  reportMissing('Chromium', given ? `${variable} is not an executable file` : 'not found in PATH');
  return null;
}
