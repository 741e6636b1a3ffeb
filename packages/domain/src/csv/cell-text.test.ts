import fc from 'fast-check';
import { expect, it } from 'vitest';
import { guardFormula, joinNames, splitNames, unguardFormula } from './cell-text.ts';

/** Each part of a cell that a spreadsheet may show as a cell, without blanks and quotes before it. */
const partsOf = (text: string): string[] =>
  text.split(/[;\t\r\n]/u).map((part) => part.replace(/^[ \u{A0}"]+/u, ''));

it('any text is the same after a formula guard was added and removed, and no part of a guarded text is a formula', () => {
  const units = ['=', '+', "'", '-', '@', ';', '\t', '\r', '\n', ' ', '\u{A0}', '"', 'a', '＝'];
  const text = fc.string({ unit: fc.constantFrom(...units), maxLength: 8 });
  fc.assert(
    fc.property(text, (value) => {
      expect(unguardFormula(guardFormula(value))).toBe(value);
      expect(guardFormula(value)).not.toMatch(/^[\t\r]/u);
      for (const part of partsOf(guardFormula(value))) expect(part).not.toMatch(/^[=+\-@＝]/u);
    }),
    { numRuns: 2000 },
  );
});

it.each([
  ['a;=cmd()', "a;'=cmd()"],
  ['a; "=cmd()"', `a; "'=cmd()"`],
  ['a\t@x\r\n-1\n+1', "a\t'@x\r\n'-1\n'+1"],
  [' =1', " '=1"],
  ['\t=1', "'\t'=1"],
  ["'\t=1", "''\t'=1"],
  ["a;'=1", "a;''=1"],
  ['x = 1, -2 a@b.c; d-e', 'x = 1, -2 a@b.c; d-e'],
])('the guarded text of %j is %j', (text, guarded) => {
  expect(guardFormula(text)).toBe(guarded);
  expect(unguardFormula(guarded)).toBe(text);
});

it('any names are the same after they were joined and split', () => {
  const name = fc
    .string({ unit: fc.constantFrom('a', 'b', ';', '"', ' ', ','), minLength: 1, maxLength: 6 })
    .map((text) => text.trim())
    .filter((text) => text !== '');
  fc.assert(
    fc.property(fc.array(name, { maxLength: 5 }), (names) => {
      expect(splitNames(joinNames(names))).toEqual(names);
    }),
  );
});
