import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAll } from '../test-sink.ts';
import { JsonGrammar } from './json-grammar.ts';
import { mostValues } from './most-values.ts';

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

const values = `[${'0,'.repeat(mostValues + 1)}0]`;
const deep = `${'['.repeat(200)}${']'.repeat(200)}`;
const large = `"${'a'.repeat(33 * 1024 * 1024)}"`;
const inBundle = (object: string) => `{"type":"bundle","id":"bundle--1","objects":[\n${object}]}`;
const note = (members: string) => `{"type":"note","id":"note--1",${members}}`;

test.each([
  ['is too deep', inBundle(note(`"x":garbage <b>,"y":${deep}`)), 2],
  ['has too many values', inBundle(note(`"y":${values},"x":01`)), 2],
  ['is too large', inBundle(note(`"x":tru,"y":${large}`)), 2],
  ['is too large, behind its limit', inBundle(note(`"y":${large},\n"x" 1`)), 3],
  ['is a single one with too many values, in a later member', note(`"y":${values},\n"x":[1,]`), 2],
])(
  'a report is malformed when an object that is not read breaks the grammar: one that %s',
  async (_, text, line) => {
    expect(parses(text)).toBe(false);
    await expect(readAll(text)).rejects.toMatchObject({
      code: 'malformed',
      location: expect.stringContaining(`line ${line}, `) as string,
    });
  },
);
