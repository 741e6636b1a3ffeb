/** PostgreSQL's largest integer; longer numbers are no CWE. */
const largest = 2_147_483_647;

/**
 * The number of a CWE id such as CWE-79, cwe-079 or 79; undefined for placeholders such as NVD-CWE-noinfo and any other
 * text.
 */
export function cweNumber(text: string): number | undefined {
  const digits = /^(?:CWE-)?0*([1-9]\d*)$/iu.exec(text.trim())?.[1];
  if (digits === undefined || digits.length > 10) return undefined;
  const number = Number(digits);
  return number > largest ? undefined : number;
}
