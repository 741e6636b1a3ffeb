import fc from 'fast-check';
import { expect, it } from 'vitest';
import { guardFormula, joinNames, splitNames, unguardFormula } from './cell-text.ts';

it('any text is the same after a formula guard was added and removed, and no guarded text is a formula', () => {
  const text = fc.string({ unit: fc.constantFrom('=', '+', "'", '-', '@', '\t', 'a', '＝'), maxLength: 4 });
  fc.assert(
    fc.property(text, (value) => {
      expect(unguardFormula(guardFormula(value))).toBe(value);
      expect(guardFormula(value)).not.toMatch(/^[=+\-@\t\r]/u);
    }),
  );
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
