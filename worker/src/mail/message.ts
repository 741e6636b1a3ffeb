import { htmlOf, type Letter, textOf } from './letter.ts';

/** A letter as nodemailer takes it: text and HTML. No text or address is ever read as a path or fetched as an address. */
export const messageOf = (from: string, letter: Letter) => ({
  from,
  // Not a string: that would be parsed, and might turn out to be several addresses.
  to: { name: '', address: letter.to },
  subject: letter.subject,
  text: textOf(letter),
  html: htmlOf(letter),
  // RFC 3834, 5: whoever answers by itself leaves this alone.
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
});
