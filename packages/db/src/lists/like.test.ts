import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenDatabase, openClone } from '../testing/open.ts';
import { isLike } from './like.ts';
import { contains } from './source.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openClone();
});
afterAll(() => database.end());

const texts = [
  'Buffer overflow',
  '100% KELVIN',
  '300 \u212A',
  '\u0130stanbul',
  'Istanbul',
  'Stra\u00DFe',
  '\u03A3\u03C2',
  '\u00C5ngstr\u00F6m',
  '',
];
const patterns = [
  'OVER',
  'k',
  'kelvin',
  '300 k',
  'i',
  '\u0130',
  'ist',
  'stanbul',
  'strasse',
  '\u00DF',
  '\u03C3',
  '\u00E5',
  '0%',
  '_',
  'x',
];

it('the test of a row by a search pattern gives the same result as ILIKE, for all letters', async () => {
  for (const text of texts)
    for (const word of patterns) {
      const value: RawBuilder<unknown> = sql`${sql.lit(text)}::text`;
      const pattern = contains(word);
      const { rows } = await sql<{ test: boolean; ilike: boolean }>`
        select ${isLike(value, pattern)} as test, ${value} ilike ${pattern} as ilike`.execute(database.app);
      expect([text, word, rows[0]?.test]).toEqual([text, word, rows[0]?.ilike]);
    }
});

describe('in Greek texts, in which the capital sigma has two small letters,', () => {
  const greek = [
    'ΟΔΟΣΗΜΑ',
    'οδόσημα',
    'οδοσημα',
    'ΟΔΟΣ',
    'οδος',
    'ΜΙΑ ΟΔΟΣ 1',
    'μια οδος 1',
    'οδου',
    'ΣΟΣ',
    'σος',
    'ΟΔΟΣ.Α',
    'ΟδόςΑθηνών',
  ];

  it.each([
    ['ΟΔΟΣ', ['ΟΔΟΣΗΜΑ', 'οδοσημα', 'ΟΔΟΣ', 'οδος', 'ΜΙΑ ΟΔΟΣ 1', 'μια οδος 1', 'ΟΔΟΣ.Α']],
    ['οδοσ', ['ΟΔΟΣΗΜΑ', 'οδοσημα', 'ΟΔΟΣ', 'οδος', 'ΜΙΑ ΟΔΟΣ 1', 'μια οδος 1', 'ΟΔΟΣ.Α']],
    ['οδος', ['ΟΔΟΣΗΜΑ', 'οδοσημα', 'ΟΔΟΣ', 'οδος', 'ΜΙΑ ΟΔΟΣ 1', 'μια οδος 1', 'ΟΔΟΣ.Α']],
    ['οδοση', ['ΟΔΟΣΗΜΑ', 'οδοσημα']],
    ['μια οδοσ 1', ['ΜΙΑ ΟΔΟΣ 1', 'μια οδος 1']],
    ['Σ 1', ['ΜΙΑ ΟΔΟΣ 1', 'μια οδος 1']],
    ['ΣΟΣ', ['ΣΟΣ', 'σος']],
    ['ΟΔΟΥ', ['οδου']],
    ['οδος.α', ['ΟΔΟΣ.Α']],
    ['ΟδόςΑ', ['ΟδόςΑθηνών']],
  ])('%s is found in every position and case', async (word, expected) => {
    const named = sql`select text from unnest(${greek}::text[]) with ordinality of (text, n)`;
    const { rows } = await sql<{ text: string }>`
      ${named} where ${isLike(sql`text`, contains(word))} order by n`.execute(database.app);
    expect(rows.map(({ text }) => text)).toEqual(expected);
  });
});
