/** Characters that change the text direction: a name must not reorder the sentence around it (Unicode UAX 9, 2). */
const directions = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu;
/** Control characters and separators of lines and paragraphs, which could start a new header or line. */
const breaks = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;
const maxLength = 100;

/** User input, such as a name, for use within a line of a mail or header: one well-formed line, at most 100 characters. */
export function plainText(input: string): string {
  const line = input.toWellFormed().replaceAll(directions, '').replaceAll(breaks, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= maxLength ? line : `${characters.slice(0, maxLength - 1).join('')}…`;
}

/**
 * `plainText` for the body of a mail. Email programs turn text that looks like an address into a link; an invisible
 * character (U+200C) after each dot and colon prevents that, so that a name cannot put a link into our mails.
 */
export const unlinkedText = (input: string): string =>
  plainText(input).replaceAll(/([.:])(?=\S)/gu, '$1\u200C');
