// Full-width forms included (OWASP, CSV Injection).
const formula = /(^|[;\t\r\n])([ \u00A0"']*)([=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gu;
const guardedFormula = /((?:^|[;\t\r\n])[ \u00A0"']*)'([=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gu;
/** Spreadsheets skip these at the beginning of a cell. */
const skipped = /^(?='*[\t\r])/u;
const guardedSkipped = /^'(?='*[\t\r])/u;

/**
 * Puts an apostrophe before each formula of a text: at its beginning, and after what may separate cells or lines in a
 * spreadsheet, as one with another list separator ignores the quotes of a cell. A text that reading would take for a
 * guarded one gets an apostrophe too.
 */
export const guardFormula = (text: string): string =>
  text.replaceAll(formula, "$1$2'$3").replace(skipped, "'");

/** The text without the apostrophes of `guardFormula`. */
export const unguardFormula = (text: string): string =>
  // Most cells have no apostrophe, and the two expressions take a fifth of the time of reading a row.
  text.includes("'") ? text.replace(guardedSkipped, '').replaceAll(guardedFormula, '$1$2') : text;

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
