import { reportMissing } from './missing.ts';
import { isProgram, pathsOf } from './programs.ts';

const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'] as const;
/** The same engine without the windows of a browser; opens pages in a fifth less CPU time (Debian package). */
const shell = 'chromium-headless-shell';
const variable = 'TEST_CHROMIUM';

/**
 * The path of Chromium: `TEST_CHROMIUM`, else the first in `PATH`, else null, which the closing lines of `npm test`
 * report. Use with `describe.skipIf(chromium === null)`.
 * @param preferred `browser` where its speed is measured, `shell` where only its behaviour matters
 * @throws when `CI` is `true` and there is no Chromium
 */
export function chromiumPath(preferred: 'browser' | 'shell'): string | null {
  const names = preferred === 'shell' ? [shell, ...browsers] : [...browsers, shell];
  const given = process.env[variable];
  const found = (given ? [given] : names.flatMap(pathsOf)).find(isProgram);
  if (found !== undefined) return found;
  reportMissing('Chromium', given ? `${variable} is not an executable file` : 'not found in PATH');
  return null;
}
