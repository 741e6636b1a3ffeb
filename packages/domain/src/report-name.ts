import { normalized } from './unicode.ts';

/** Control and direction characters, which can disguise a name. */
// eslint-disable-next-line no-control-regex -- these are what is removed
const deceptive = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * The name that a report is stored under: no path, no control or direction characters, composed (macOS names files in
 * decomposed Unicode). The browser compares names by it before an upload. Empty when nothing is left.
 */
export const reportName = (sent: string): string =>
  normalized(sent.toWellFormed()).split(/[\\/]/u).at(-1)?.replaceAll(deceptive, '').trim() ?? '';
