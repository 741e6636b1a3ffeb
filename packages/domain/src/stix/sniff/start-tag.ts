/** A start tag, its attribute values with references resolved. */
export interface XmlTag {
  /** Empty for the default namespace. */
  prefix: string;
  local: string;
  attributes: ReadonlyMap<string, string>;
  /** Declared by the tag: URI by prefix. */
  namespaces: ReadonlyMap<string, string>;
}

const name = String.raw`[\p{L}_][\p{L}\p{N}\p{M}_.\-·]*`;
const startTag = new RegExp(
  String.raw`<(?:(${name}):)?(${name})((?:\s+[^\s=<>/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*/?>`,
  'uy',
);
const attribute = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function reference(whole: string, code: string): string {
  if (!code.startsWith('#')) return entities[code] ?? whole;
  const number = code.startsWith('#x')
    ? Number.parseInt(code.slice(2), 16)
    : Number.parseInt(code.slice(1), 10);
  // A value that is not a character makes the file malformed, which the reader reports.
  return number <= 0x10ffff ? String.fromCodePoint(number) : whole;
}

/** The value of an attribute: line breaks are blanks, references are resolved (XML 1.0 section 3.3.3). */
const attributeValue = (raw: string): string =>
  raw.replaceAll(/[\t\n\r]/g, ' ').replaceAll(/&(#x[0-9a-fA-F]+|#[0-9]+|\w+);/g, reference);

/** Reads the start tag at an index; undefined when it is cut off or malformed. */
export function readStartTag(text: string, at = 0): XmlTag | undefined {
  startTag.lastIndex = at;
  const match = startTag.exec(text);
  if (match === null) return undefined;
  const [, prefix = '', local = '', raw = ''] = match;
  const attributes = new Map<string, string>();
  const namespaces = new Map<string, string>();
  for (const [, key = '', double, single] of raw.matchAll(attribute)) {
    const value = attributeValue(double ?? single ?? '');
    if (key === 'xmlns' || key.startsWith('xmlns:')) namespaces.set(key.slice(6), value);
    else attributes.set(key, value);
  }
  return { prefix, local, attributes, namespaces };
}
