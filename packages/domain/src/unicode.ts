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
export const normalized = (text: string, form: 'NFC' | 'NFKC' = 'NFC'): string =>
  hasManyMarks(text) ? text : text.normalize(form);
