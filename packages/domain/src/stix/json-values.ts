import { jsonBytes } from './json-bytes.ts';

const { quote, comma, openList, escape, openObject } = jsonBytes;

/**
 * The commas and opening brackets of a JSON text outside its strings: a measure of the number of its values, which is never
 * greater than the text is long. A text of millions is refused before it is parsed: one call of JSON.parse takes seconds and
 * a gigabyte, and ends the process where its memory does not suffice, even in a thread with a limit of its own.
 * @param most counting ends after one more
 * @returns the count, and the offset at which counting ended
 */
export function countValues(text: string, most: number): { count: number; end: number } {
  let count = 0;
  let inString = false;
  let index = 0;
  for (; index < text.length && count <= most; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) inString = !inString;
    else if (inString) {
      if (code === escape) index += 1;
    } else if (code === comma || code === openList || code === openObject) count += 1;
  }
  return { count, end: index };
}
