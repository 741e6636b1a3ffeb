import type { FastifyReply } from 'fastify';

/** Control characters and direction marks, which can disguise a name. */
const deceptive = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
/** Limit of file systems in bytes of UTF-8; a browser cuts the extension off a longer name. */
const longestBytes = 255;
/** Characters that the ASCII fallback name replaces. */
const nonAscii = /[^\w.\- ]/gu;

const bytesOf = (text: string): number => Buffer.byteLength(text);

/** Shortens a name before its extension. */
function shorten(name: string): string {
  const ending = /\.\w{1,10}$/u.exec(name)?.[0] ?? '';
  // By code point, so that no character is cut in half.
  const stem = Array.from(name.slice(0, name.length - ending.length));
  while (bytesOf(stem.join('') + ending) > longestBytes)
    stem.length -= Math.ceil((bytesOf(stem.join('') + ending) - longestBytes) / 4);
  return stem.join('') + ending;
}

/** The file name without folders, invisible characters and leading dots. */
function saveName(name: string): string {
  const last = name.toWellFormed().split(/[\\/]/u).at(-1) ?? '';
  return (
    shorten(
      last
        .replaceAll(deceptive, '')
        .replace(/^[.\s]+/u, '')
        .trim(),
    ) || 'download'
  );
}

/** Content-Disposition for a download (RFC 6266): the untrusted name percent-encoded (RFC 8187) and as plain ASCII. */
export function attachment(name: string): string {
  const safe = saveName(name);
  const encoded = encodeURIComponent(safe).replaceAll(
    /['()*]/gu,
    (c) => `%${c.codePointAt(0)?.toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${safe.replaceAll(nonAscii, '_')}"; filename*=UTF-8''${encoded}`;
}

/** Headers that prevent rendering: attachment, sandboxed, not cached (ASVS 5.0, 3.2.1). */
export const asDownload = (reply: FastifyReply, name: string, type: string): FastifyReply =>
  reply
    .header('content-disposition', attachment(name))
    .header('content-security-policy', "sandbox; default-src 'none'; base-uri 'none'; frame-ancestors 'none'")
    .header('cache-control', 'no-store')
    .type(type);
