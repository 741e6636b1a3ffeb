import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonGrammar } from './json-grammar.ts';

function accepts(text: string, size = 3): boolean {
  const grammar = new JsonGrammar();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size)
    if (grammar.push(bytes.subarray(at, at + size)) !== undefined) return false;
  return grammar.end() === undefined;
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test.each([
  '',
  ' 1 ',
  '-0.5e+10',
  '01',
  '-',
  '1.',
  '1e',
  '.5',
  '1 2',
  'tru',
  'truee',
  'null',
  '"a',
  String.raw`"\u00Zf"`,
  String.raw`"\u00ff\n\\"`,
  String.raw`"\x"`,
  '"a\tb"',
  '[1,]',
  '[,1]',
  '[1 2]',
  '{"a":1,}',
  '{"a"}',
  '{1:2}',
  '{"a":1]',
  '[]]',
  '{"a":[{"b":null},-1.5E3,"é",true]}',
  'garbage',
])('agrees with JSON.parse about %j', (text) => {
  expect(accepts(text)).toBe(parses(text));
});

test('agrees with JSON.parse about any value with one byte changed, in parts of any size', () => {
  const changed = fc.record({
    text: fc.json(),
    at: fc.nat(),
    by: fc.string({
      unit: fc.constantFrom('{', '}', '[', ']', '"', ',', ':', '0', '1', '-', '.', 'e', '\\', ' ', 't', '\n'),
      minLength: 1,
      maxLength: 1,
    }),
    size: fc.integer({ min: 1, max: 9 }),
  });
  fc.assert(
    fc.property(changed, ({ text, at, by, size }) => {
      const index = at % text.length;
      for (const one of [text, text.slice(0, index) + by + text.slice(index + 1), text.slice(0, index)])
        expect([one, accepts(one, size)]).toEqual([one, parses(one)]);
    }),
  );
});

test('says where a value breaks the grammar, also below a million levels', () => {
  const grammar = new JsonGrammar();
  expect(grammar.push(Buffer.from('['.repeat(1_000_000)))).toBeUndefined();
  expect(grammar.push(Buffer.from(']}'))).toMatchObject({ offset: 1_000_001 });
});
