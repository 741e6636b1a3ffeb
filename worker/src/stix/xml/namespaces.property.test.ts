import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { Namespaces, readAttributes, type Attribute, type ExpandedName } from './namespaces.ts';

const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';
const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/';
const prefixes = ['', 'p', 'q', 'r', 'xml', 'xmlns', '__proto__', 'u'];

interface Outcome {
  /** Elements with their attributes, and what the prefixes mean at their start and end. */
  readonly read: unknown[];
  /** With line and column. */
  readonly error: string | undefined;
}

const nameParts = ({ name, prefix, local, uri }: ExpandedName): ExpandedName => ({
  name,
  prefix,
  local,
  uri,
});
const attributeParts = (attribute: Attribute): Attribute => ({
  ...nameParts(attribute),
  value: attribute.value,
});

/** Parses in pieces. */
function outcomeOf(text: string, parser: SaxesParser<{ xmlns: true }>, read: unknown[]): Outcome {
  try {
    for (let at = 0; at < text.length; at += 7) parser.write(text.slice(at, at + 7));
    parser.close();
    return { read, error: undefined };
  } catch (cause) {
    return { read, error: String(cause) };
  }
}

function withSaxes(text: string): Outcome {
  const parser = new SaxesParser({ xmlns: true });
  const read: unknown[] = [];
  const resolved = (): unknown => prefixes.map((prefix) => parser.resolve(prefix));
  parser.on('opentag', (tag) => {
    read.push({
      element: nameParts(tag),
      attributes: Object.values(tag.attributes).map(attributeParts),
      resolved: resolved(),
    });
  });
  parser.on('closetag', ({ name }) => void read.push({ end: name, resolved: resolved() }));
  return outcomeOf(text, parser, read);
}

function withNamespaces(text: string): Outcome {
  const parser = new SaxesParser({ xmlns: true });
  const namespaces = new Namespaces(parser);
  const read: unknown[] = [];
  const resolved = (): unknown => prefixes.map((prefix) => namespaces.resolve(prefix));
  readAttributes(parser, (name, value) => namespaces.addAttribute(name, value));
  parser.on('opentag', ({ name }) => {
    const { element, attributes } = namespaces.open(name);
    read.push({
      element: nameParts(element),
      attributes: attributes.map(attributeParts),
      resolved: resolved(),
    });
  });
  parser.on('closetag', ({ name }) => {
    read.push({ end: name, resolved: resolved() });
    namespaces.close();
  });
  return outcomeOf(text, parser, read);
}

test.each([
  ['<u:a/>', 'unbound namespace prefix: "u".'],
  ['<a u:x="1"/>', 'unbound namespace prefix: "u".'],
  ['<a><p:b xmlns:p="urn:1"/><p:b/></a>', 'unbound namespace prefix: "p".'],
  ['<a><b xmlns:p="urn:1"></b><c p:x="1"/></a>', 'unbound namespace prefix: "p".'],
  ['<a xmlns:p="urn:1" xmlns:q="urn:1" p:x="1" q:x="2"/>', 'duplicate attribute: {urn:1}x.'],
  ['<a q:x="1" p:x="2" xmlns:p="urn:1" xmlns:q=" urn:1 "/>', 'duplicate attribute: {urn:1}x.'],
  ['<a x="1" x="2"/>', 'duplicate attribute: x.'],
  ['<a xmlns="urn:1" xmlns="urn:1"/>', 'duplicate attribute: xmlns.'],
  ['<a xmlns:p="urn:1" xmlns:p="urn:2"/>', `duplicate attribute: {${xmlnsNamespace}}p.`],
  ['<a b="" c="" d="" e="" f="" g="" h="" i="" c=""/>', 'duplicate attribute: c.'],
  ['<p:a:b xmlns:p="urn:1"/>', 'malformed name: p:a:b.'],
  ['<:a/>', 'malformed name: :a.'],
  ['<a:/>', 'malformed name: a:.'],
  ['<a p:x:y="1"/>', 'malformed name: p:x:y.'],
  ['<a :x="1"/>', 'malformed name: :x.'],
  ['<a xmlns:="urn:1"/>', 'malformed name: xmlns:.'],
  ['<xmlns:a/>', 'tags may not have "xmlns" as prefix.'],
  ['<a xmlns:p=" "/>', 'invalid attempt to undefine prefix in XML 1.0'],
  ['<?xml version="1.1"?><p:a xmlns:p=""/>', 'unbound namespace prefix: "p".'],
  ['<a xmlns:xml="urn:1"/>', `xml prefix must be bound to ${xmlNamespace}.`],
  ['<a xmlns:xmlns="urn:1"/>', `xmlns prefix must be bound to ${xmlnsNamespace}.`],
  [
    `<a xmlns:xmlns="${xmlnsNamespace}"/>`,
    `may not assign a prefix (even "xmlns") to the URI ${xmlnsNamespace}.`,
  ],
  [
    `<a xmlns:p="${xmlnsNamespace}"/>`,
    `may not assign a prefix (even "xmlns") to the URI ${xmlnsNamespace}.`,
  ],
  [`<a xmlns="${xmlnsNamespace}"/>`, `the default namespace may not be set to ${xmlnsNamespace}.`],
  [`<a xmlns:p="${xmlNamespace}"/>`, 'may not assign the xml namespace to another prefix.'],
  [`<a xmlns="${xmlNamespace}"/>`, `the default namespace may not be set to ${xmlNamespace}.`],
  ['<a><?p:i x?></a>', 'disallowed character in processing instruction name.'],
  ['<a>&p:e;</a>', 'disallowed character in entity name.'],
])('%s is refused as saxes refuses it in its namespace mode', (text, message) => {
  const { error } = withNamespaces(text);
  expect(error).toContain(message);
  expect(error).toBe(withSaxes(text).error);
});

test.each([
  `<a xmlns:xml="${xmlNamespace}" xml:lang="en"/>`,
  '<a x="1" p:x="2" xmlns:p="urn:1" xmlns="urn:1"><b xmlns="" p:x="1"/><b/></a>',
  '<?xml version="1.1"?><a xmlns:p="urn:1"><b xmlns:p="" p:x="1" x="2"/><p:b/></a>',
])('%s is read as saxes reads it in its namespace mode', (text) => {
  const outcome = withNamespaces(text);
  expect(outcome.error).toBeUndefined();
  expect(outcome).toEqual(withSaxes(text));
});

const local = fc.constantFrom('a', 'b', 'c', '__proto__');
const bound = fc.constantFrom('p', 'q', 'r', '__proto__');
const often = <T>(arbitrary: fc.Arbitrary<T>): fc.WeightedArbitrary<T> => ({ arbitrary, weight: 40 });
const seldom = <T>(arbitrary: fc.Arbitrary<T>): fc.WeightedArbitrary<T> => ({ arbitrary, weight: 1 });

const name = fc.oneof(
  often(local),
  often(fc.tuple(bound, local).map((parts) => parts.join(':'))),
  seldom(fc.constantFrom('xml:a', 'xml:lang', 'xmlns:a', 'u:a', ':a', 'a:', 'p:a:b', 'a::b', ':', 'xmlns:')),
);
const uri = fc.oneof(
  often(fc.constantFrom('urn:1', 'urn:2', 'urn:3', ' urn:1\t', '&#x75;rn:2')),
  seldom(fc.constantFrom('', ' ', xmlNamespace, xmlnsNamespace)),
);
const declaration = fc.oneof(
  often(
    fc.tuple(
      bound.map((prefix) => `xmlns:${prefix}`),
      uri,
    ),
  ),
  often(fc.tuple(fc.constant('xmlns'), fc.oneof(uri, fc.constantFrom('', ' ')))),
  seldom(fc.tuple(fc.constantFrom('xmlns:xml', 'xmlns:xmlns', 'xmlns:p:q'), uri)),
);
const other = fc.tuple(name, fc.constantFrom('', 'x', ' x ', 'p:x', '&amp;'));
const attribute = fc.oneof(declaration, other);
/** Most tags repeat no name as written: only then their expanded names decide. */
const attributes = fc.oneof(
  often(fc.uniqueArray(attribute, { maxLength: 12, selector: ([written]) => written })),
  seldom(fc.array(attribute, { maxLength: 4 })),
);
const shown = (tag: readonly (readonly [string, string])[]): string =>
  tag.map(([written, value]) => ` ${written}="${value}"`).join('');

const { content } = fc.letrec<{ content: string; node: string }>((tie) => ({
  content: fc.array(tie('node'), { maxLength: 4 }).map((nodes) => nodes.join('')),
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.tuple(name, attributes).map(([written, tag]) => `<${written}${shown(tag)}/>`),
    fc
      .tuple(name, attributes, tie('content'))
      .map(([written, tag, inside]) => `<${written}${shown(tag)}>${inside}</${written}>`),
    fc.oneof(often(fc.constantFrom('text', '<?i x?>')), seldom(fc.constantFrom('<?p:i x?>', '&p:e;', '&e;'))),
  ),
}));
const report = fc
  .tuple(
    fc.constantFrom('', '<?xml version="1.0"?>', '<?xml version="1.1"?>'),
    fc.oneof(often(fc.constant(true)), seldom(fc.constant(false))),
    content,
  )
  .map(([start, isBound, inside]) => {
    const declared = isBound
      ? ['p', 'q', 'r', '__proto__'].map((prefix) => ` xmlns:${prefix}="urn:${prefix}"`)
      : [];
    return `${start}<root${declared.join('')}>${inside}</root>`;
  });

test('names are resolved, and refused with the same message, as by saxes in its namespace mode', () => {
  let read = 0;
  let refused = 0;
  fc.assert(
    fc.property(report, (text) => {
      const expected = withSaxes(text);
      expect(withNamespaces(text)).toEqual(expected);
      if (expected.error === undefined) read += 1;
      else refused += 1;
    }),
    { numRuns: 2000 },
  );
  expect(Math.min(read, refused)).toBeGreaterThan(200);
});

test('more names than are remembered, and long ones, are resolved in their scope', () => {
  const names = Array.from({ length: 2500 }, (_, n) => `p:n${n}`);
  const elements = [...names, ...names.toReversed(), `p:${'n'.repeat(1000)}`].map(
    (written) => `<${written}/>`,
  );
  const inside = elements.join('');
  const text = `<a xmlns:p="urn:1">${inside}<b xmlns:p="urn:2">${inside}</b>${inside}</a>`;
  expect(withNamespaces(text)).toEqual(withSaxes(text));
});
