import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CsvParser, type CsvRow, delimiterOf, withoutDelimiterLine } from './parser.ts';

/** Reads a text in pieces of one size. */
function read(text: string, { size = text.length || 1, delimiter = ',' } = {}): CsvRow[] {
  const parser = new CsvParser(delimiter);
  const rows: CsvRow[] = [];
  for (let at = 0; at < text.length; at += size) rows.push(...parser.push(text.slice(at, at + size)));
  return [...rows, ...parser.end()];
}

describe('a CSV file', () => {
  it('keeps delimiters, doubled quotes and line breaks of quoted cells', () => {
    expect(read('a,"b,""c""\r\nd",e').map(({ cells }) => cells)).toEqual([['a', 'b,"c"\r\nd', 'e']]);
  });

  it('counts physical lines, for all line endings, also inside quotes', () => {
    const lines = read('h\r\n"1\r\n\r\n"\n2\r3\r\n\r\n4').map(({ line, cells }) => [line, cells[0]]);
    expect(lines).toEqual([
      [1, 'h'],
      [2, '1\r\n\r\n'],
      [5, '2'],
      [6, '3'],
      [8, '4'],
    ]);
  });

  it('takes a quote inside an unquoted cell for a character', () => {
    expect(read('5" pipe,x')[0]?.cells).toEqual(['5" pipe', 'x']);
  });

  it('with a quote that is not closed is refused with the line of the quote', () => {
    expect(() => read('a\nb,"c\nd\n')).toThrow('The quote that opens in line 2 is not closed.');
  });

  it.each([
    ['a;b;"c,d"\n', ';'],
    ['a\tb', '\t'],
    ['a,"b;c;d;e",f', ','],
    ['single', ','],
    ['sep=;\r\na,b;c,d\r\n', ';'],
    ['"sep=,"\na;b;c,d', ','],
    ['sep=|\na;b', '|'],
  ])('%j is delimited by %j', (head, delimiter) => {
    expect(delimiterOf(head)).toBe(delimiter);
  });

  it('that names its delimiter in the first line has no row of it, and keeps the lines of the others', () => {
    const rows = read(withoutDelimiterLine('Sep=;\r\nname;cve\r\nA;B'), { delimiter: ';' });
    expect(rows).toEqual([
      { line: 2, cells: ['name', 'cve'] },
      { line: 3, cells: ['A', 'B'] },
    ]);
    expect(withoutDelimiterLine('sep=;,name\nA')).toBe('sep=;,name\nA');
  });
});

const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'ä', "'"), maxLength: 5 });
const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 6 });

it('any table that is written with quotes is read back, in pieces of any size and with the line of each row', () => {
  fc.assert(
    fc.property(
      table,
      fc.integer({ min: 1, max: 7 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      (rows, size, ending) => {
        const lines = rows.map((cells) => cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(','));
        const expected = rows.flatMap((cells, at) => {
          const before = lines
            .slice(0, at)
            .map((one) => one + ending)
            .join('');
          const line = 1 + (before.match(/\r\n|\r|\n/gu)?.length ?? 0);
          return cells.some((text) => text.trim() !== '') ? [{ line, cells }] : [];
        });
        expect(read(lines.map((one) => one + ending).join(''), { size })).toEqual(expected);
      },
    ),
    { seed: 20_261_122 },
  );
});
