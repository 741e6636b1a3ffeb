const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/iu;

/** The number of a decimal text, also with an exponent; undefined for other texts, also for hexadecimal and empty ones. */
export function decimalNumber(text: string): number | undefined {
  const bare = text.trim();
  const number = decimal.test(bare) ? Number(bare) : undefined;
  return Number.isFinite(number) ? number : undefined;
}

/** Whole numbers with separators of thousands, also before decimals. One point alone begins the decimals. */
const bySpaces = /^[+-]?[1-9]\d{0,2}(?:[\s']\d{3})+(?:[.,]\d*)?$/u;
const byCommas = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/u;
const byPoints = /^[+-]?[1-9]\d{0,2}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})$/u;

/**
 * The number of a text that a user or another program wrote, also with separators of thousands (`1,250,000.50`,
 * `1 250 000,50`, `1.250.000`) or a decimal comma; undefined for other texts. A comma before three digits separates
 * thousands, except after a zero.
 */
export function writtenNumber(text: string): number | undefined {
  const written = text.trim();
  const bare = bySpaces.test(written) ? written.replaceAll(/[\s']/gu, '') : written;
  if (byCommas.test(bare)) return decimalNumber(bare.replaceAll(',', ''));
  return decimalNumber((byPoints.test(bare) ? bare.replaceAll('.', '') : bare).replace(',', '.'));
}

/**
 * Sums and quotients of decimals are not exact in binary fractions: 7 must not become 6.999999999, nor 6.25 the half
 * 6.2499999 that is rounded down, nor 0 a negative zero.
 */
export const exact = (value: number): number => Math.round(value * 1e6) / 1e6 + 0;
