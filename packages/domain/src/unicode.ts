/**
 * More marks on one character than any language has (UAX #15, Stream-Safe Text Format, has 30): to order them takes time that
 * grows with the square of their number, a minute for a MiB.
 */
const manyMarks = /\p{M}{31}/u;
/** Letters of Latin-1 and its first extensions, which need no look at each mark. */
const withoutMarks = /^[\0-\u02FF]*$/u;

/** Whether a character has more than 30 combining marks. */
export const hasManyMarks = (text: string): boolean => !withoutMarks.test(text) && manyMarks.test(text);

/** The text in a normalization form (UAX #15); as it is when a character has more than 30 combining marks. */
export function normalized(text: string, form: 'NFC' | 'NFKC' = 'NFC'): string {
  if (withoutMarks.test(text)) return form === 'NFC' ? text : text.normalize(form);
  return manyMarks.test(text) ? text : text.normalize(form);
}

/** Any other character than blanks, control characters and those that nothing is shown of (Unicode, DerivedCoreProperties). */
const visible = /[^\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}]/u;

/** Whether a text has a visible character: a name without one cannot be read or clicked. */
export const isVisible = (text: string): boolean => visible.test(text);

/** Control characters except tab and line ends, and direction marks. */
const deceptive = String.raw`\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`;
/** Soft hyphen, zero width space, word joiner and byte order mark. Scripts and emoji need the joiners U+200C and U+200D. */
const invisible = String.raw`\u00ad\u200b\u2060\ufeff`;
/** Tab, line ends, and blanks that look like one or more spaces. */
const blanks = String.raw`\t\n\r\u00a0\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`;

/** Regular expressions of the characters that `plainLine` removes and makes one space, which PostgreSQL can read too. */
export const lineExpressions = { removed: `[${deceptive}${invisible}]`, blanks: `[${blanks}]+` } as const;

const deceptiveOnes = new RegExp(`[${deceptive}]`, 'gu');
const invisibleOnes = new RegExp(`[${invisible}]`, 'gu');
const blankOnes = new RegExp(lineExpressions.blanks, 'gu');

/** The text without control characters other than tab and line ends, and without direction marks: they can disguise it. */
export const withoutControls = (text: string): string => text.replaceAll(deceptiveOnes, '');

/** The text on one line: line breaks, tabs and blanks that look like spaces become one space, invisible characters are removed. */
export const oneLine = (text: string): string =>
  text.replaceAll(invisibleOnes, '').replaceAll(blankOnes, ' ');

/**
 * The text as names are stored and searched: on one line, in composed Unicode (macOS, for example, decomposes), without control,
 * direction and invisible characters. Names that look the same are the same then.
 */
export const plainLine = (text: string): string => normalized(oneLine(withoutControls(text)));

/** Whether two names look the same in one line. */
export const isSameName = (one: string, other: string): boolean =>
  plainLine(one).trim() === plainLine(other).trim();
