/** A number with its thousands grouped, as lists show counts: '1,699', '12,345.5'. */
const grouped = /^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/u;

/**
 * The value that a number field sends: a number, or an empty string when blank (spec 5); NaN when the text is not a
 * number.
 */
export function numberOf(text: string): number | '' {
  const typed = text.trim();
  const trimmed = grouped.test(typed) ? typed.replaceAll(',', '') : typed.replace(',', '.');
  if (trimmed === '') return '';
  return /^[+-]?(\d+\.?\d*|\.\d+)$/u.test(trimmed) ? Number(trimmed) : Number.NaN;
}

/** The text that a number field shows. */
export const numberText = (number: number | null): string => (number === null ? '' : String(number));

/** The text after one step, within the range; a blank text becomes the nearest limit. */
export function stepped(text: string, by: number, { min, max }: { min: number; max: number }): string {
  const number = numberOf(text);
  if (typeof number !== 'number' || Number.isNaN(number)) return String(by > 0 ? min : max);
  // Tenths have no exact binary form: 0.1 + 0.2 must not show as 0.30000000000000004.
  return String(Number(Math.min(max, Math.max(min, number + by)).toFixed(6)));
}
