/** What a mail says, before it is put into a form. All of it is text; user text in it has passed plainText or unlinkedText. */
export interface Letter {
  /** The address that is on record, never the one that somebody typed. */
  to: string;
  subject: string;
  paragraphs: readonly string[];
  action?: { label: string; url: string };
  /** What stands below the action, smaller: what to do if it was not you, why this mail came. */
  notes: readonly string[];
}

/** Named by the mail that is sent and by whoever writes one. */
export const product = 'Riskboard';

export function textOf({ paragraphs, action, notes }: Letter): string {
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
const escape = (text: string): string => text.replaceAll(/[&<>"']/gu, (sign) => entities[sign] ?? '');

const paragraph = (text: string, style = ''): string =>
  `<p style="margin:0 0 16px;overflow-wrap:anywhere;${style}">${escape(text)}</p>`;
const small = 'font-size:13px;opacity:.75';

/**
 * Nothing is fetched from anywhere, and no colour of text or ground is set but the button's: in dark mode a mail program
 * then uses its own.
 */
export function htmlOf(letter: Letter): string {
  const { subject, paragraphs, action, notes } = letter;
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
