/** Also `CVE 2012-4792`, without the hyphen, as VCDB writes it. */
const inside = /(?<![A-Za-z0-9])CVE[-\s]?(\d{4})-(\d{4,19})(?!\d)/gi;

/** The distinct CVE ids that a text mentions. */
export function findCves(text: string): string[] {
  const ids = new Set<string>();
  // One match at a time: a text of megabytes may repeat an id a million times.
  for (const [, year, number] of text.matchAll(inside)) ids.add(`CVE-${year}-${number}`);
  return [...ids];
}

/** `CWE-79` from `CWE-79`, `cwe-079` or `79`; undefined for any other text, `CWE-0` among them. */
export function readCwe(text: string): string | undefined {
  const match = /^(?:CWE-)?0*([1-9]\d{0,4})$/i.exec(text.trim());
  return match === null ? undefined : `CWE-${match[1]}`;
}
