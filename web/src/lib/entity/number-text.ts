import { writtenNumber } from '@riskboard/domain';

/**
 * The value that a number field sends: a number, or an empty string when blank (spec 5); NaN when the text is not a
 * number. It reads a text as the import of a CSV file does.
 */
export const numberOf = (text: string): number | '' =>
  text.trim() === '' ? '' : (writtenNumber(text) ?? Number.NaN);

/** The text that a number field shows. */
export const numberText = (number: number | null): string => (number === null ? '' : String(number));

/** The text after one step, within the range; a blank text becomes the nearest limit. */
export function stepped(text: string, by: number, { min, max }: { min: number; max: number }): string {
  const number = numberOf(text);
  if (typeof number !== 'number' || Number.isNaN(number)) return String(by > 0 ? min : max);
  // Tenths have no exact binary form: 0.1 + 0.2 must not show as 0.30000000000000004.
  return String(Number(Math.min(max, Math.max(min, number + by)).toFixed(6)));
}
