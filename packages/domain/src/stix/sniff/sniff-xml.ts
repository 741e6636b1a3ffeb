import { xmlRoot } from './report-root.ts';
import type { Sniffed } from './sniff-json.ts';
import { readStartTag } from './start-tag.ts';

/** Content allowed before the root: blanks, comments, processing instructions (XML 1.0 section 2.8). */
const prolog = /(?:\s+|<!--[^]*?-->|<\?[^]*?\?>)*/y;

export const doctypeRefusal = {
  code: 'doctype',
  message:
    'The XML has a document type declaration (<!DOCTYPE), which is not accepted: STIX does not need one.',
} as const;

/** The start of a web page: its document type, or its root with attributes in any notation. */
const webPage = /<(?:!doctype\s+)?html[\s>/]/iy;

/** Classifies an XML upload by the namespace of its root element. */
export function sniffXml(head: string): Sniffed {
  prolog.lastIndex = 0;
  const at = prolog.exec(head)?.[0].length ?? 0;
  webPage.lastIndex = at;
  if (webPage.test(head)) return sniffRoot('', 'html');
  if (head.startsWith('<!DOCTYPE', at)) return { refusal: doctypeRefusal };
  const tag = readStartTag(head, at);
  // The start tag is cut off or the file is malformed: the full read decides.
  if (tag === undefined) return { media: 'xml' };
  return sniffRoot(tag.namespaces.get(tag.prefix) ?? '', tag.local);
}

function sniffRoot(uri: string, local: string): Sniffed {
  const root = xmlRoot(uri, local);
  return 'refusal' in root ? root : { media: 'xml' };
}
