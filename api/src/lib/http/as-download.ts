import type { FastifyReply } from 'fastify';

/** Controls, and the marks that turn text around: a name must look like what it is. */
const deceptive = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
/** What file systems take, in bytes of UTF-8; a browser cuts the ending off what is longer. */
const longestBytes = 255;
/** The ASCII name, for what does not know the other one. */
const plainly = /[^\w.\- ]/gu;

const bytesOf = (text: string): number => Buffer.byteLength(text);

/** Cut before its ending, so that it stays what it is. */
function shorten(name: string): string {
  const ending = /\.\w{1,10}$/u.exec(name)?.[0] ?? '';
  // By code point, so that no character is cut in half.
  const stem = Array.from(name.slice(0, name.length - ending.length));
  while (bytesOf(stem.join('') + ending) > longestBytes)
    stem.length -= Math.ceil((bytesOf(stem.join('') + ending) - longestBytes) / 4);
  return stem.join('') + ending;
}

/** A file's name and no more: no folder, nothing that cannot be seen, no leading dot that hides it. */
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

/**
 * A Content-Disposition that saves, by RFC 6266: the name is a stranger's, so it comes percent-encoded (RFC 8187), and
 * once more in plain ASCII.
 */
export function attachment(name: string): string {
  const safe = saveName(name);
  const encoded = encodeURIComponent(safe).replaceAll(
    /['()*]/gu,
    (c) => `%${c.codePointAt(0)?.toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${safe.replaceAll(plainly, '_')}"; filename*=UTF-8''${encoded}`;
}

/** Downloads never render: attachment, sandboxed, not cached (ASVS 5.0, 3.2.1). */
export const asDownload = (reply: FastifyReply, name: string, type: string): FastifyReply =>
  reply
    .header('content-disposition', attachment(name))
    .header('content-security-policy', "sandbox; default-src 'none'; base-uri 'none'; frame-ancestors 'none'")
    .header('cache-control', 'no-store')
    .type(type);
