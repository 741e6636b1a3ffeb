/** What a spreadsheet would run as a formula (OWASP, CSV Injection), full-width forms included. */
const formula = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/u;
const quotedFormula = /^'+[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/u;

/** Puts an apostrophe before a text that a spreadsheet would run, or that reading would take for such a text. */
export const guardFormula = (text: string): string =>
  formula.test(text) || quotedFormula.test(text) ? `'${text}` : text;

/** The text without the apostrophe of `guardFormula`. */
export const unguardFormula = (text: string): string => (quotedFormula.test(text) ? text.slice(1) : text);

/** Names in one cell, separated by semicolons; a name with a semicolon or a quote is in quotes. */
export const joinNames = (names: readonly string[]): string =>
  names.map((name) => (/[;"]/u.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join('; ');

/** The names of a cell, without those that are empty. */
export function splitNames(text: string): string[] {
  const names: string[] = [];
  for (const [, quoted, plain = ''] of text.matchAll(/\s*(?:"((?:[^"]|"")*)"\s*(?=;|$)|([^;]*))(?:;|$)/gu)) {
    const name = quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"').trim();
    if (name !== '') names.push(name);
  }
  return names;
}
