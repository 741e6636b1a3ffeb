import { expect, test } from 'vitest';
import { indentedMember } from './indented-json.ts';

const formatted = (text: string): string => indentedMember(text, 'content').join('');

test.each([
  ['numbers', '[12345678901234567890,9007199254740993,1E400,-0,1.50]'],
  ['members with one name', '{"a":1,"a":2}'],
  ['escapes', String.raw`["\u00e9","a\/b","\\","\"{"]`],
])('keeps %s as they are in the text', (_what, content) => {
  const text = formatted(`{"_id":"1","content":${content}}`);
  expect(text.replaceAll(/\s/gu, '')).toBe(content);
});

test('is the member of the object, and not of a value in it', () => {
  const text = '{"objects":{"content":1},"name":"\\"content\\":","content" : {"content":[ ]},"after":2}';
  expect(formatted(text)).toBe('{\n  "content": []\n}');
});

test('is the whole text when the object has no such member', () => {
  expect(formatted('{"type":"bundle","objects":{}}')).toBe('{\n  "type": "bundle",\n  "objects": {}\n}');
});

test.each(['', 1, '\t'])('is indented as JSON.stringify does, also of a text with the blanks %j', (space) => {
  const values = [null, true, -1.5e-7, '', '{"a":[1,2]}', 'a \\ "b"\n', [], {}, [[]], [{}, []]];
  for (const content of [...values, values, { a: values, content: { b: { '': values } } }]) {
    const text = JSON.stringify({ objects: { content: 1 }, content }, null, space);
    expect(formatted(text)).toBe(JSON.stringify(content, null, 2));
  }
});

test('is complete in texts of several parts', () => {
  const content = Array.from({ length: 100_000 }, (_, n) => ({ n, text: 'a long text \\ "quoted"' }));
  expect(indentedMember(JSON.stringify({ content }), 'content').length).toBeGreaterThan(2);
  expect(formatted(JSON.stringify({ content }))).toBe(JSON.stringify(content, null, 2));
});
