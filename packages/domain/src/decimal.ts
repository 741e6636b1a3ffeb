const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/iu;

/** The number of a decimal text, also with an exponent; undefined for other texts, also for hexadecimal and empty ones. */
export function decimalNumber(text: string): number | undefined {
  const bare = text.trim();
  const number = decimal.test(bare) ? Number(bare) : undefined;
  return Number.isFinite(number) ? number : undefined;
}

/**
 * Sums and quotients of decimals are not exact in binary fractions: 7 must not become 6.999999999, nor 6.25 the half
 * 6.2499999 that is rounded down, nor 0 a negative zero.
 */
export const exact = (value: number): number => Math.round(value * 1e6) / 1e6 + 0;
