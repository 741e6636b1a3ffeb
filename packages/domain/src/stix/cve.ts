import { distinct } from './compact.ts';
import type { Warn } from './warning.ts';

/** Also `CVE 2012-4792`, without the hyphen, as VCDB writes it, and with the dashes that texts of PDF files have for it. */
const inside = /(?<![A-Za-z0-9])CVE[-\s\u2010-\u2015\u2212]?(\d{4})[-\u2010-\u2015\u2212](\d{4,19})(?!\d)/gi;

/** The distinct CVE ids that a text mentions. */
export function findCves(text: string): string[] {
  const ids = new Set<string>();
  // One match at a time: a text of megabytes may repeat an id a million times.
  for (const [, year, number] of text.matchAll(inside)) ids.add(`CVE-${year}-${number}`);
  return [...ids];
}

const cweInside = /(?<![A-Za-z0-9])CWE[-\s]?0*([1-9]\d{0,4})(?!\d)/gi;
const bareNumber = /^0*([1-9]\d{0,4})$/;
/** Terms of NVD for a weakness without an id, and `CWE-0` of others. */
const noCwe = /^(?:NVD-CWE-(?:noinfo|Other)|CWE-0+)$/i;

/** `CWE-79` for each of the distinct ids that a text mentions, or for a number alone. */
function findCwes(text: string): string[] {
  const bare = bareNumber.exec(text.trim());
  const found = bare === null ? text.matchAll(cweInside) : [bare];
  const ids = new Set<string>();
  for (const [, number] of found) ids.add(`CWE-${number}`);
  return [...ids];
}

/** CWE ids that a vulnerability can have: an entry of the index that sorts by them holds no more than about 150. */
export const mostCwes = 100;

/** The distinct CWE ids of texts, at most 100; a text without an id, and ids that are left out, add a warning. */
export function readCwes(texts: readonly string[], warn: Warn): string[] {
  const found = distinct(
    texts.flatMap((text) => {
      const ids = findCwes(text);
      if (ids.length === 0 && !noCwe.test(text.trim())) warn('cwe-not-an-id');
      return ids;
    }),
  );
  if (found.length > mostCwes) warn('cwe-too-many');
  return found.slice(0, mostCwes);
}
