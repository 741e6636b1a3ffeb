import { expect, it } from 'vitest';
import { normalized } from './unicode.ts';

const acute = '\u0301';

it('a text is composed', () => {
  expect(normalized(`Cafe${acute}`)).toBe('Café');
  expect(normalized('ﬁle', 'NFKC')).toBe('file');
});

it('a character with 30 marks is composed, and a text with one that has more stays as it is', () => {
  const below = '\u0316';
  expect(normalized(`e${acute}${below.repeat(29)}`)).toBe(`é${below.repeat(29)}`.normalize('NFC'));
  const many = `e${acute}${below.repeat(30)}`;
  expect(normalized(many)).toBe(many);
  expect(many.normalize('NFC')).not.toBe(many);
});
