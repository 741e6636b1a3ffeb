import { jsonBytes } from '@riskboard/domain';

const { quote, comma, openList, escape, openObject } = jsonBytes;

/** Values of an object that is read: with millions of them, one call of JSON.parse takes seconds and a gigabyte. */
export const mostValues = 500_000;

/**
 * The commas and opening brackets of a JSON text outside its strings: a measure of the number of its values, which is never
 * greater than the text is long. Stops after `mostValues`.
 */
export function countValues(text: string): number {
  let count = 0;
  let inString = false;
  for (let index = 0; index < text.length && count <= mostValues; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) inString = !inString;
    else if (inString) {
      if (code === escape) index += 1;
    } else if (code === comma || code === openList || code === openObject) count += 1;
  }
  return count;
}
