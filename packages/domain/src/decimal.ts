const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/iu;

/** The number of a decimal text, also with an exponent; undefined for other texts, also for hexadecimal and empty ones. */
export function decimalNumber(text: string): number | undefined {
  const bare = text.trim();
  const number = decimal.test(bare) ? Number(bare) : undefined;
  return Number.isFinite(number) ? number : undefined;
}
