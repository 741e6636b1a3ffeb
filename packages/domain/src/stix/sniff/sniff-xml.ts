import { xmlRoot } from './report-root.ts';
import type { Sniffed } from './sniff-json.ts';

/** Content allowed before the root: blanks, comments, processing instructions (XML 1.0 section 2.8). */
const prolog = /(?:\s+|<!--[^]*?-->|<\?[^]*?\?>)*/y;
const startTag =
  /<(?:([\p{L}_][\p{L}\p{N}_.-]*):)?([\p{L}_][\p{L}\p{N}_.-]*)((?:\s+[^\s=<>]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*\/?>/uy;
const attribute = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

const packageVersion = /<(?:[\w.-]+:)?STIX_Package\b[^<>]*?\sversion\s*=\s*["']([^"']+)["']/gu;

/** The distinct versions of the packages in a TAXII message. */
function versionsInside(head: string): string | null {
  const versions = new Set([...head.matchAll(packageVersion)].map(([, version]) => version));
  return versions.size === 0 ? null : [...versions].join(',');
}

export const doctypeRefusal = {
  code: 'doctype',
  message:
    'The XML has a document type declaration (<!DOCTYPE), which is not accepted: STIX does not need one.',
} as const;

/** Classifies an XML upload by the namespace of its root element; `complete`: the head is the whole file. */
export function sniffXml(head: string, complete: boolean): Sniffed {
  prolog.lastIndex = 0;
  const at = prolog.exec(head)?.[0].length ?? 0;
  if (head.startsWith('<!DOCTYPE', at)) return { refusal: doctypeRefusal };
  startTag.lastIndex = at;
  const tag = startTag.exec(head);
  // The start tag is cut off or the file is malformed: the full read decides.
  if (tag === null) return { media: 'xml', stixVersion: null };
  const [, prefix, local = '', attributes = ''] = tag;
  const values = new Map<string, string>();
  for (const [, name = '', double, single] of attributes.matchAll(attribute))
    values.set(name, double ?? single ?? '');
  const root = xmlRoot(values.get(prefix === undefined ? 'xmlns' : `xmlns:${prefix}`) ?? '', local);
  if ('refusal' in root) return root;
  if (root.role === 'package') return { media: 'xml', stixVersion: values.get('version') ?? null };
  return { media: 'xml', stixVersion: complete ? versionsInside(head) : null };
}
