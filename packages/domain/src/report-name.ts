import { plainLine } from './unicode.ts';

/** NUL, tab and line ends; `plainLine` removes the other control characters. */
const controls = /[\0\t\n\r\u2028\u2029]/gu;

/**
 * The name that a report is stored under: no path, no control characters, otherwise as `plainLine`. The browser compares
 * names by it before an upload. Empty when nothing is left.
 */
export const reportName = (sent: string): string =>
  plainLine(sent.toWellFormed().split(/[\\/]/u).at(-1)?.replaceAll(controls, '') ?? '').trim();
