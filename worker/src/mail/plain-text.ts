/** Marks that turn the direction of what follows: a name must not rearrange the sentence around it (Unicode UAX 9, 2). */
const directions = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu;
/** Control characters, and line and paragraph separators: none of them may start a header or a line. */
const breaks = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu;
const longest = 100;

/**
 * What a person typed (their name, the organization's), fit to stand within a line of a mail or of a header: one line,
 * well-formed, at most 100 characters.
 */
export function plainText(typed: string): string {
  const line = typed.toWellFormed().replaceAll(directions, '').replaceAll(breaks, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= longest ? line : `${characters.slice(0, longest - 1).join('')}…`;
}

/**
 * The same for the body of a mail, where programs turn whatever looks like an address into a link: a mail of ours must
 * not carry the links of whoever named an organization. An invisible character (U+200C) after each dot prevents that.
 */
export const unlinkedText = (typed: string): string =>
  plainText(typed).replaceAll(/([.:])(?=\S)/gu, '$1\u200C');
