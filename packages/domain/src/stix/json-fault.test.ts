import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findJsonFault } from './json-fault.ts';

// Rows: RFC 8259 sections 2 to 7.
test.each([
  ['{"a":1,}', 7],
  ['{"a" 1}', 5],
  ['{"a":01}', 6],
  ['{"a":tru}', 5],
  ['[1 2]', 3],
  ['{"a":"x\ny"}', 7],
  ['{"a":"\\x"}', 6],
  ['{"a":"\\u12"}', 6],
  ['{"a":[1}', 7],
  ['{"a":', 5],
  ['["abc', 5],
  ["{'a':1}", 1],
  ['[NaN]', 1],
  ['[1.]', 2],
])('the error of %j is at offset %i', (text, offset) => {
  expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
  expect(findJsonFault(text).offset).toBe(offset);
});

test('the error of a truncated valid text is not reported after its end', () => {
  const property = fc.property(fc.jsonValue(), fc.nat(), (value, seed) => {
    const text = JSON.stringify({ value });
    const part = text.slice(0, seed % text.length);
    expect(findJsonFault(part).offset).toBeLessThanOrEqual(part.length);
    expect(() => JSON.parse(part) as unknown).toThrow(SyntaxError);
  });
  fc.assert(property);
});

test('a million open brackets do not overflow the stack', () => {
  expect(findJsonFault('['.repeat(1_000_000)).offset).toBe(1_000_000);
});

test.each([
  ['{"a":"x\0"}', 'a string contains the control character U+0000, which must be escaped'],
  ['{"a":"x\ny"}', 'a string contains the control character U+000A, which must be escaped'],
  ['{"a":\u0000 1}', 'the control character U+0000 is not allowed here'],
  ['["abc', 'a string is not closed'],
  ['["\\x"]', 'a string contains an invalid escape sequence'],
])('the error message of %j says %s', (text, message) => {
  expect(findJsonFault(text).message).toBe(`Malformed JSON: ${message}`);
});
