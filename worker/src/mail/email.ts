import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';

/** The content of an email. User input in it has passed plainText or unlinkedText. */
export interface Email {
  /** The address on record, never one from a request. */
  to: string;
  subject: string;
  paragraphs: readonly string[];
  action?: { label: string; url: string };
  /** Small print below the action: why the email was sent, and what to do if the reader did not expect it. */
  notes: readonly string[];
}

/** The product's name in every email. */
export const product = 'Riskboard';

export function textOf({ paragraphs, action, notes }: Email): string {
  const link = action ? [`${action.label}:\n${action.url}`] : [];
  return `${[...paragraphs, ...link, ...notes].join('\n\n')}\n`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string =>
  text.replaceAll(/[&<>"']/gu, (character) => entities[character] ?? '');

const paragraph = (text: string, style = ''): string =>
  `<p style="margin:0 0 16px;overflow-wrap:anywhere;${style}">${escape(text)}</p>`;
const small = 'font-size:13px;opacity:.75';

/** Loads no remote content. Sets no color except the button's, so that email programs can apply their dark mode. */
export function htmlOf({ subject, paragraphs, action, notes }: Email): string {
  const button = action && [
    `<p style="margin:24px 0"><a href="${escape(action.url)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#2456c9;color:#ffffff;font-weight:600;text-decoration:none">${escape(action.label)}</a></p>`,
    paragraph(`Or copy this address into your browser: ${action.url}`, small),
  ];
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `<title>${escape(subject)}</title></head>`,
    '<body style="margin:0;padding:24px;font:16px/1.5 system-ui,-apple-system,\'Segoe UI\',Roboto,Arial,sans-serif">',
    '<div style="max-width:560px;margin:0 auto">',
    `<p style="margin:0 0 24px;font-weight:700">${product}</p>`,
    ...paragraphs.map((text) => paragraph(text)),
    ...(button ?? []),
    ...notes.map((text) => paragraph(text, small)),
    '</div></body></html>',
    '',
  ].join('\n');
}

/** The domain of an address, with or without a name: `Riskboard <risk@example.org>`. */
const domainOf = (from: string): string =>
  domainToASCII(/@([^@\s>]+)>?\s*$/u.exec(from)?.[1] ?? '') || 'localhost';

/**
 * The Message-ID of a requested mail. It stays the same when the mail is sent again, so that servers and mail programs
 * recognize a repetition, unless the mail has a new link: the reader needs the newest one. Reveals nothing of the link.
 */
function messageIdOf(from: string, { id, email }: IdentifiedEmail): string {
  const hash = createHash('sha256')
    .update(`${id} ${email.action?.url ?? ''}`)
    .digest('hex');
  return `<${hash.slice(0, 32)}@${domainOf(from)}>`;
}

interface IdentifiedEmail {
  /** Id of the row in outgoing_mail. */
  id: string;
  email: Email;
}

/** The options of nodemailer's `sendMail`. File and URL access are off: no text or address is read as a path or fetched. */
export const messageOf = (from: string, { id, email }: IdentifiedEmail) => ({
  messageId: messageIdOf(from, { id, email }),
  from,
  // An object, because nodemailer parses a string, which may contain several addresses.
  to: { name: '', address: email.to },
  subject: email.subject,
  text: textOf(email),
  html: htmlOf(email),
  // RFC 3834, 5: prevents automatic replies.
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
});
