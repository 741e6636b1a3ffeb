import { jsonBytes } from '../json-bytes.ts';

const { quote, escape } = jsonBytes;

/** The string of the JSON bytes between two quotes; empty when the bytes are malformed. */
export function decode(bytes: readonly number[]): string {
  const isAscii = bytes.every((byte) => byte < 0x80);
  if (isAscii && !bytes.includes(escape)) return String.fromCharCode(...bytes);
  try {
    const text = isAscii
      ? String.fromCharCode(...bytes)
      : decodeURIComponent(bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''));
    return String(JSON.parse(`"${text}"`));
  } catch {
    return '';
  }
}

/** Where the text of a string is, without its quotes. */
export interface Span {
  start: number;
  end: number;
}

/** Bytes that are compared one by one before the next quote is looked for: most strings are shorter. */
const shortString = 24;

/** The end of the string that begins at `start`, after its quote: the index of the other one, or the length. */
export function endOfString(bytes: Uint8Array, start: number): number {
  let index = start;
  for (;;) {
    const near = Math.min(index + shortString, bytes.length);
    for (; index < near; index += 1) {
      const byte = bytes[index];
      if (byte === quote) return index;
      if (byte === escape) index += 1;
    }
    const end = bytes.indexOf(quote, index);
    if (end === -1) return bytes.length;
    let escapes = 0;
    while (bytes[end - 1 - escapes] === escape) escapes += 1;
    if (escapes % 2 === 0) return end;
    // Compared one by one again: in a text full of escaped quotes, looking for each would take far longer.
    index = end + 1;
  }
}

/** Whether the string from `start` to `end` is this text, written without escapes. */
export function isText(bytes: Uint8Array, { start, end }: Span, text: string): boolean {
  if (end - start !== text.length) return false;
  for (let at = 0; at < text.length; at += 1) if (bytes[start + at] !== text.charCodeAt(at)) return false;
  return true;
}

/** Whether the string from `start` to `end` has an escape sequence. */
export function hasEscape(bytes: Uint8Array, { start, end }: Span): boolean {
  for (let at = start; at < end; at += 1) if (bytes[at] === escape) return true;
  return false;
}
