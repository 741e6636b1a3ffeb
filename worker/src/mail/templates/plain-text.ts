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

/** A dot or colon inside a word. */
const marks = /[.:](?=\S)/gu;
/**
 * The same without those that no link contains outside of an address with `//` or `@`: before a digit, with which no
 * top-level domain begins, of a colon only after another digit (not in `tel:1`), and before the extension of a report, which
 * is no top-level domain.
 */
const linkingMarks =
  /(?:\.(?!\d|(?:json|xml|csv)(?:[^\p{L}\p{N}._/:@-]|\.?(?:\s|$)))|(?<!\d):|:(?!\d))(?=\S)/giu;

/**
 * `plainText` for the body of a mail. Email programs turn text that looks like an address into a link; an invisible
 * character (U+200C) after dots and colons prevents that, so that a name cannot put a link into our mails. Numbers, versions,
 * identifiers and names of reports remain as they are, so that a copy of them is found.
 */
export const unlinkedText = (input: string): string =>
  plainText(input)
    .split(' ')
    .map((word) => word.replaceAll(/\/\/|@/u.test(word) ? marks : linkingMarks, '$&\u200C'))
    .join(' ');
