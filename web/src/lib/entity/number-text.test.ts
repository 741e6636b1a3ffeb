import { expect, test } from 'vitest';
import { numberOf, stepped } from './number-text.ts';

test.each([
  ['', ''],
  ['  ', ''],
  ['7', 7],
  [' 7.5 ', 7.5],
  ['7,5', 7.5],
  ['1,699', 1699],
  ['12,345.5', 12345.5],
  ['1 250 000,5', 1250000.5],
  ['7,', 7],
  ['1e3', 1000],
  ['0,125', 0.125],
  ['.5', 0.5],
  ['-1', -1],
  ['0', 0],
])(
  'the text %j of a number field is sent as %j (spec 5: a number, or an empty string when blank)',
  (text, sent) => {
    expect(numberOf(text)).toBe(sent);
  },
);

test.each(['seven', '7 8', '--1', '1.2.3', 'Infinity', '0x10'])('the text %j is not a number', (text) => {
  expect(numberOf(text)).toBeNaN();
});

test.each([
  ['7', 1, '8'],
  ['10', 1, '10'],
  ['1', -1, '1'],
  ['', 1, '1'],
  ['', -1, '10'],
  ['7.2', 0.1, '7.3'],
  ['1.1', 0.1, '1.2'],
  ['nothing', 1, '1'],
])('the number %j stepped by %d within 1 to 10 becomes %j', (text, by, next) => {
  expect(stepped(text, by, { min: 1, max: 10 })).toBe(next);
});
