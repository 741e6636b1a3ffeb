/** The number of a CWE id in the forms 79, CWE-79, cwe79, ' 79 '; undefined for any other text. */
export function cweNumber(text: string): number | undefined {
  const digits = /^\s*(?:cwe[-_: ]?)?0*([1-9]\d{0,6})\s*$/iu.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
