/**
 * The number in an identifier as people and reports write it: 79, CWE-79, cwe79, ' 79 '. Undefined where there is
 * none, or more than one.
 */
export function cweNumber(text: string): number | undefined {
  const digits = /^\s*(?:cwe[-_: ]?)?0*([1-9]\d{0,6})\s*$/iu.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
