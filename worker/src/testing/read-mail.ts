/** A decoded mail. */
export interface ReadMail {
  /** By lower-case name, unfolded and decoded; values of a repeated header, joined by `|`. */
  headers: Readonly<Record<string, string>>;
  text: string;
  html: string;
  /** The first address in its text. */
  link: string;
}

const quotedPrintable = (text: string): string =>
  Buffer.from(
    text
      .replaceAll(/[=]\r?\n/g, '')
      .replaceAll(/[=]([0-9A-F]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

const decoders: Readonly<Record<string, (text: string) => string>> = {
  'quoted-printable': quotedPrintable,
  base64: (text) => Buffer.from(text, 'base64').toString('utf8'),
};

/** RFC 2047: decodes encoded words; adjacent ones form one text. */
const decodeHeader = (value: string): string =>
  value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, how: string, text: string) =>
      how.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('utf8')
        : quotedPrintable(text.replaceAll('_', ' ')),
    );

function readPart(raw: string): { headers: Record<string, string>; body: string } {
  const [head = '', ...rest] = raw.split('\n\n');
  const headers: Record<string, string> = {};
  for (const line of head.replaceAll(/\n[ \t]+/g, ' ').split('\n')) {
    const name = line.slice(0, line.indexOf(':')).toLowerCase();
    const value = decodeHeader(line.slice(line.indexOf(':') + 1).trim());
    headers[name] = name in headers ? `${headers[name]}|${value}` : value;
  }
  const decode = decoders[headers['content-transfer-encoding'] ?? ''] ?? ((text: string) => text);
  return { headers, body: decode(rest.join('\n\n')) };
}

/** Decodes a mail with a text part and an HTML part. */
export function readMail(source: string): ReadMail {
  const { headers, body } = readPart(source.replaceAll('\r\n', '\n'));
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1] ?? '';
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => readPart(part.trimStart()));
  const bodyOf = (type: string): string =>
    parts.find((part) => part.headers['content-type']?.startsWith(type))?.body ?? '';
  const text = bodyOf('text/plain');
  return { headers, text, html: bodyOf('text/html'), link: /^https?:\S+$/m.exec(text)?.[0] ?? '' };
}
