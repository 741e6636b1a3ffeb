import { withoutControls } from '@riskboard/domain';

/** Letters that are written from right to left: the blocks of such scripts (UAX #9, unassigned characters of R and AL). */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A name as a part of a sentence. One with letters from right to left is isolated, so that it does not reorder the text around it. */
export function nameText(name: string): string {
  const text = withoutControls(name);
  return rightToLeft.test(text) ? `\u2068${text}\u2069` : text;
}

/** '“Log4Shell”', as a part of a sentence. */
export const quoted = (name: string): string => `“${nameText(name)}”`;
