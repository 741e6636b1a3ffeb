/** Letters that are written from right to left: the blocks of such scripts (UAX #9, unassigned characters of R and AL). */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Direction characters: earlier versions stored them in names. */
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A name as a part of a sentence. One with letters from right to left is isolated, so that it does not reorder the text around it. */
export function nameText(name: string): string {
  const text = name.replaceAll(directions, '');
  return rightToLeft.test(text) ? `\u2068${text}\u2069` : text;
}

/** '“Log4Shell”', as a part of a sentence. */
export const quoted = (name: string): string => `“${nameText(name)}”`;
